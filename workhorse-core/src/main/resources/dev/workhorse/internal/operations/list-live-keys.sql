-- Lists held keys, those that hold longest first, from behind a place, looking at a bounded number of them; the last
-- one looked at is there in any case. Locks nothing. Index: job_key_expires_idx.
with looked as materialized (
  select
    id, key_scope, key_preview, key_hash, key_mode, key_expires_at,
    row_number() over (order by key_expires_at desc, id desc) as place
  from workhorse.job
  where key_hash is not null
    and key_expires_at > (select workhorse.clock())
    and (key_expires_at, id) < (
      coalesce(cast(:after_at as timestamptz), 'infinity'),
      coalesce(cast(:after_id as uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
  order by key_expires_at desc, id desc
  limit :looked
)
select *, (cast(:scope as text) is null or key_scope = :scope) as passes
from looked
where cast(:scope as text) is null
  or key_scope = :scope
  or place = :looked
order by key_expires_at desc, id desc
limit :most
