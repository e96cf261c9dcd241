-- Accepts a batch of requests of any mode, or one debounced request, in one round trip. Answers with one row for each
-- request, in their order: accepted, replaced, or what is known of the holder of the key; nothing of these when another
-- transaction won the key in the meantime (read again in a new statement).
-- Locks: the jobs of debounced keys first, then their runs, then inserts, each in the order of the key hashes, so that
-- opposite batches cannot wait for each other. The clock is read again under the lock. A request that is only repeated
-- writes nothing. Indexes: job_key_hash_uq, job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
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
    cast(:key_windows_ms as bigint[]), cast(:delays_ms as bigint[]), cast(:max_delays_ms as bigint[]),
    cast(:preserve as boolean[])
  ) with ordinality as given (
    id, queue, type, payload, priority, concurrency_key, run_at, tags, max_attempts, retry_policy, deadline,
    timeout_ms, explicit_options, key_hash, key_mode, key_scope, key_preview, key_length, key_fingerprint,
    key_window_ms, delay_ms, max_delay_ms, preserve, ord
  )
),
held as materialized (
  select request.ord, job.id, job.key_mode, job.key_fingerprint, job.key_expires_at > moment.at as live
  from request
  join workhorse.job on job.key_hash = request.key_hash
  cross join moment
),
locked as materialized (
  select request.ord, job.id, job.created_at, job.key_expires_at
  from request
  join workhorse.job
    on job.key_hash = request.key_hash
    and job.key_mode = 'debounce'
  where request.key_mode = 'debounce'
  order by request.key_hash
  for no key update of job
),
judged as materialized (
  select locked.*, workhorse.clock() as at
  from locked
),
replaced_run as (
  update workhorse.job_run
  set queue = request.queue,
      type = request.type,
      priority = request.priority,
      concurrency_key = request.concurrency_key,
      run_at = case when request.preserve then job_run.run_at else next_run.at end,
      state = case
        when request.preserve then job_run.state
        when next_run.at > judged.at then 'scheduled'
        else 'ready'
      end
  from judged
  join request on request.ord = judged.ord
  cross join lateral (
    select greatest(
      judged.at,
      least(
        judged.at + make_interval(secs => request.key_window_ms / 1000.0),
        judged.created_at + make_interval(secs => request.max_delay_ms / 1000.0)
      )
    ) as at
  ) as next_run
  where job_run.job_id = judged.id
    and judged.key_expires_at > judged.at
    and job_run.fence = 0
    and job_run.state in ('scheduled', 'ready')
  returning judged.ord, judged.at, job_run.job_id, job_run.run_at
),
replaced_job as (
  update workhorse.job
  set queue = request.queue,
      type = request.type,
      payload = cast(request.payload as jsonb),
      priority = request.priority,
      concurrency_key = request.concurrency_key,
      tags = nullif(array(select jsonb_array_elements_text(cast(request.tags as jsonb))), '{}'),
      max_attempts = request.max_attempts,
      retry_policy = request.retry_policy,
      deadline = request.deadline,
      timeout_ms = request.timeout_ms,
      explicit_options = nullif(string_to_array(request.explicit_options, ','), '{}'),
      trace_context = cast(:trace_context as jsonb),
      key_fingerprint = request.key_fingerprint,
      key_window_ms = request.key_window_ms,
      key_expires_at = case when request.preserve then job.key_expires_at else replaced_run.run_at end,
      replacements = job.replacements + 1,
      replaced_at = replaced_run.at
  from replaced_run
  join request on request.ord = replaced_run.ord
  where job.id = replaced_run.job_id
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
    moment.at + make_interval(secs => coalesce(request.delay_ms, request.key_window_ms) / 1000.0),
    cast(:trace_context as jsonb)
  from request
  cross join moment
  where not exists (select from held where held.ord = request.ord)
  order by request.key_hash
  on conflict (key_hash) where key_hash is not null do nothing
  returning
    id, created_at,
    case when key_mode = 'debounce' then key_expires_at else coalesce(run_at, created_at) end as run_at
),
run as (
  insert into workhorse.job_run (job_id, queue, type, state, priority, concurrency_key, run_at)
  select
    accepted.id, request.queue, request.type,
    case when accepted.run_at > accepted.created_at then 'scheduled' else 'ready' end,
    request.priority, request.concurrency_key, accepted.run_at
  from accepted
  join request on request.id = accepted.id
)
select
  accepted.id as accepted_id,
  workhorse.clock() - accepted.created_at > make_interval(secs => :wait_ms / 1000.0) as waited,
  extract(epoch from coalesce(accepted.run_at - accepted.created_at, replaced_run.run_at - replaced_run.at)) * 1000
    as delay_ms,
  replaced_run.job_id as replaced_id,
  held.id as held_id, held.key_mode as held_mode, held.key_fingerprint as held_fingerprint, held.live as held_live,
  judged.key_expires_at > judged.at as window_open
from request
left join accepted on accepted.id = request.id
left join held on held.ord = request.ord
left join judged on judged.ord = request.ord
left join replaced_run on replaced_run.ord = request.ord
order by request.ord
