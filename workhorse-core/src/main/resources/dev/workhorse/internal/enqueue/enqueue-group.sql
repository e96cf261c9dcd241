-- Accepts requests of several callers, none of them debounced and no key twice, as far as their keys are free: the fast
-- form of enqueue-jobs.sql for those who come in at the same time. Answers with the new jobs; who is not among them
-- asks again alone. One caller's key must not hold up the others: the wait for a transaction that is inserting one of
-- the keys is bounded from the first line on, and then all ask again alone. Locks nothing that exists; inserts in the
-- order of the key hashes, as batches do. Index: job_key_hash_uq.
with bound as materialized (
  select set_config('lock_timeout', :most_wait_ms || 'ms', true) as most
),
moment as materialized (
  select workhorse.clock() as at
  from bound
),
request as materialized (
  select *
  from unnest(
    cast(:ids as uuid[]), cast(:queues as text[]), cast(:types as text[]), cast(:payloads as text[]),
    cast(:priorities as bigint[]), cast(:concurrency_keys as text[]), cast(:run_ats as timestamptz[]),
    cast(:tags as text[]), cast(:max_attempts as bigint[]), cast(:retry_policies as text[]),
    cast(:deadlines as timestamptz[]), cast(:timeouts_ms as bigint[]), cast(:explicit_options as text[]),
    cast(:key_hashes as bytea[]), cast(:key_modes as text[]), cast(:key_scopes as text[]),
    cast(:key_previews as text[]), cast(:key_lengths as bigint[]), cast(:key_fingerprints as bytea[]),
    cast(:key_windows_ms as bigint[]), cast(:trace_contexts as text[])
  ) as given (
    id, queue, type, payload, priority, concurrency_key, run_at, tags, max_attempts, retry_policy, deadline,
    timeout_ms, explicit_options, key_hash, key_mode, key_scope, key_preview, key_length, key_fingerprint,
    key_window_ms, trace_context
  )
),
accepted as (
  insert into workhorse.job (
    id, queue, type, payload, priority, concurrency_key, run_at, tags, max_attempts, retry_policy, deadline,
    timeout_ms, explicit_options, created_at,
    key_hash, key_mode, key_scope, key_preview, key_length, key_fingerprint, key_window_ms, key_expires_at,
    trace_context
  )
  select
    request.id, request.queue, request.type, cast(request.payload as jsonb), request.priority,
    request.concurrency_key, request.run_at,
    nullif(array(select jsonb_array_elements_text(cast(request.tags as jsonb))), '{}'),
    request.max_attempts, request.retry_policy, request.deadline, request.timeout_ms,
    nullif(string_to_array(request.explicit_options, ','), '{}'), moment.at,
    request.key_hash, request.key_mode, request.key_scope, request.key_preview, request.key_length,
    request.key_fingerprint, request.key_window_ms,
    moment.at + make_interval(secs => request.key_window_ms / 1000.0), cast(request.trace_context as jsonb)
  from request
  cross join moment
  order by request.key_hash
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
select accepted.id, extract(epoch from accepted.run_at - accepted.created_at) * 1000 as delay_ms
from accepted
