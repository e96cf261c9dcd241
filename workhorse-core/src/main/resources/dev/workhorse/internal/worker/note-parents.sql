-- Notes that jobs may have nothing left to wait for, because a child of theirs ends in the same transaction. Locks
-- nothing.
insert into workhorse.follow_up (job_id, kind)
select parent.id, 'wake'
from unnest(cast(:parent_ids as uuid[])) as parent (id)
