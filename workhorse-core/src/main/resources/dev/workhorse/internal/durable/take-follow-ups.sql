-- Takes jobs whose children are to be cancelled, a bounded number at a time. Passes over those another node has taken.
-- Index: follow_up_pk.
with taken as materialized (
  select follow_up.id
  from workhorse.follow_up
  where follow_up.kind = 'cancel-children'
  order by follow_up.id
  limit :most
  for update skip locked
)
delete from workhorse.follow_up
using taken
where follow_up.id = taken.id
returning follow_up.job_id
