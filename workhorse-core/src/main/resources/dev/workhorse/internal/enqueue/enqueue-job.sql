-- Accepts one request, with a key that is not debounced or without a key, unless its key is held: the fast form of
-- enqueue-jobs.sql. Answers with the new job, or with nothing where the key is held or another transaction has just won
-- it; who holds it is then for find-holder.sql to see, in a new statement. It does not look first: a statement that
-- also looks costs every new key a tenth more. Locks nothing that exists; waits only for an open transaction that is
-- inserting the same key. Where the key is held nothing is written. Index: job_key_hash_uq.
with accepted as (
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
  from (select workhorse.clock() as at offset 0) as moment
  on conflict (key_hash) where key_hash is not null do nothing
  returning id, queue, type, priority, concurrency_key, created_at, coalesce(run_at, created_at) as run_at
),
run as (
  insert into workhorse.job_run (job_id, queue, type, state, priority, concurrency_key, run_at)
  select
    accepted.id, accepted.queue, accepted.type,
    case when accepted.run_at > accepted.created_at then 'scheduled' else 'ready' end,
    accepted.priority, accepted.concurrency_key, accepted.run_at
  from accepted
)
select
  workhorse.clock() - accepted.created_at > interval '10 ms' as waited,
  extract(epoch from accepted.run_at - accepted.created_at) * 1000 as delay_ms
from accepted
