-- Makes a new job of a dead letter, unless this request has done so before. The new job knows the old one and the old
-- one notes the new. The deadline is not taken over, it would most likely have passed. The enqueue key of the old job
-- stays as it is. Waits only for an open transaction with the same request. Indexes: job_pk, job_key_hash_uq.
with moment as materialized (
  select workhorse.clock() as at
),
dead as materialized (
  select job.*
  from workhorse.job
  join workhorse.job_outcome on job_outcome.job_id = job.id
  where job.id = :id
    and job_outcome.state = 'failed'
),
held as materialized (
  select job.id, job.redrive_of
  from workhorse.job
  where job.key_hash = :key_hash
),
accepted as (
  insert into workhorse.job (
    id, queue, type, payload, priority, concurrency_key, tags, max_attempts, retry_policy, timeout_ms,
    explicit_options, created_at, redrive_of, trace_context, event,
    key_hash, key_mode, key_scope, key_preview, key_length, key_fingerprint, key_window_ms, key_expires_at
  )
  select
    :new_id, dead.queue, dead.type, dead.payload, dead.priority, dead.concurrency_key, dead.tags, dead.max_attempts,
    dead.retry_policy, dead.timeout_ms, dead.explicit_options, moment.at, dead.id, dead.trace_context, dead.event,
    :key_hash, 'idempotency', :key_scope, :key_preview, :key_length, :key_fingerprint, cast(:key_window_ms as bigint),
    moment.at + make_interval(secs => cast(:key_window_ms as bigint) / 1000.0)
  from dead
  cross join moment
  where not exists (select from held)
  on conflict (key_hash) where key_hash is not null do nothing
  returning id, queue, type, priority, concurrency_key, created_at
),
run as (
  insert into workhorse.job_run (job_id, queue, type, state, priority, concurrency_key, run_at)
  select id, queue, type, 'ready', priority, concurrency_key, created_at
  from accepted
),
event as (
  insert into workhorse.job_event (job_id, at, kind, details)
  select dead.id, moment.at, 'redriven', cast(:details as jsonb) || jsonb_build_object('as', accepted.id)
  from accepted
  cross join dead
  cross join moment
)
select
  (select dead.id from dead) as dead_id,
  accepted.id as accepted_id, accepted.queue,
  held.id as held_id, held.redrive_of as held_redrive_of
from moment
left join accepted on true
left join held on true
