-- Accepts one request, with a key that is not debounced or without a key, unless its key is held: the fast form of
-- enqueue-jobs.sql. Answers with one row: the new job, or the job that holds the key, or neither when another
-- transaction won the key in the meantime (read again in a new statement).
-- Locks nothing that exists; waits only for an open transaction that is inserting the same key. Where the key is
-- held nothing is written. Index: job_key_hash_uq.
with moment as materialized (
  select workhorse.clock() as at
),
held as materialized (
  select job.id, job.key_mode, job.key_fingerprint, job.key_expires_at > moment.at as live
  from workhorse.job
  cross join moment
  where job.key_hash = :key_hash
),
accepted as (
  insert into workhorse.job (
    id, queue, type, payload, priority, concurrency_key, run_at, tags, max_attempts, retry_policy, deadline,
    timeout_ms, explicit_options, created_at,
    key_hash, key_mode, key_scope, key_preview, key_length, key_fingerprint, key_window_ms, key_expires_at,
    trace_context
  )
  select
    :id, :queue, :type, cast(:payload as jsonb), :priority, :concurrency_key, cast(:run_at as timestamptz), :tags,
    :max_attempts, :retry_policy, cast(:deadline as timestamptz), cast(:timeout_ms as bigint), :explicit_options,
    moment.at,
    :key_hash, :key_mode, :key_scope, :key_preview, :key_length, :key_fingerprint, cast(:key_window_ms as bigint),
    moment.at + make_interval(secs => cast(:key_window_ms as bigint) / 1000.0), cast(:trace_context as jsonb)
  from moment
  where not exists (select from held)
  on conflict (key_hash) where key_hash is not null do nothing
  returning id, created_at, coalesce(run_at, created_at) as run_at
),
run as (
  insert into workhorse.job_run (job_id, queue, type, state, priority, concurrency_key, run_at)
  select
    accepted.id, :queue, :type, case when accepted.run_at > accepted.created_at then 'scheduled' else 'ready' end,
    :priority, :concurrency_key, accepted.run_at
  from accepted
)
select
  accepted.id as accepted_id,
  workhorse.clock() - accepted.created_at > interval '10 ms' as waited,
  extract(epoch from accepted.run_at - accepted.created_at) * 1000 as delay_ms,
  cast(null as uuid) as replaced_id,
  held.id as held_id, held.key_mode as held_mode, held.key_fingerprint as held_fingerprint, held.live as held_live,
  cast(null as boolean) as window_open
from moment
left join accepted on true
left join held on true
