-- Lists held keys from behind a place, those that hold longest first, beginning with those that hold as long as their
-- jobs are stored. Looks at a bounded number of them; the last one looked at is there in any case. Locks nothing.
-- Index: job_key_expires_idx.
with unbounded as (
  select
    id, key_scope, key_preview, key_hash, key_mode, key_expires_at,
    cast('9999-12-31T23:59:59.999999Z' as timestamptz) as until
  from workhorse.job
  where key_hash is not null
    and key_expires_at is null
    and cast('9999-12-31T23:59:59.999999Z' as timestamptz) <= coalesce(cast(:after_at as timestamptz), 'infinity')
    and id < coalesce(cast(:after_id as uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  order by id desc
  limit :looked
),
bounded as (
  select id, key_scope, key_preview, key_hash, key_mode, key_expires_at, key_expires_at as until
  from workhorse.job
  where key_hash is not null
    and key_expires_at > (select workhorse.clock())
    and (key_expires_at, id) < (
      coalesce(cast(:after_at as timestamptz), 'infinity'),
      coalesce(cast(:after_id as uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
  order by key_expires_at desc, id desc
  limit :looked
),
looked as (
  select held.*, row_number() over (order by held.until desc, held.id desc) as place
  from (
    select * from unbounded
    union all
    select * from bounded
  ) as held
  order by held.until desc, held.id desc
  limit :looked
)
select looked.*, (cast(:scope as text) is null or key_scope is not distinct from :scope) as passes
from looked
where cast(:scope as text) is null
  or key_scope = :scope
  or place = :looked
order by until desc, id desc
limit :most
