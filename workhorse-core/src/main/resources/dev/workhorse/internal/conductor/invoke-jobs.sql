-- Decides a batch of invokes, or one, in one round trip. Answers with one row for each, in their order: created (and
-- what it superseded), updated, retained or throttled; nothing of these when another transaction changed what the key
-- holds in the meantime (read again in a new statement).
-- Locks: the jobs that hold the keys, then their runs, then inserts, each in the order of the key hashes, so that
-- opposite batches cannot wait for each other. The clock is read again under the lock. A throttled invoke that is
-- dropped locks and writes nothing. Deleting the run of a superseded execution takes the fence from its handler; its
-- children are left to a follow-up.
-- Indexes: job_key_hash_uq, job_run_pk, job_outcome_pk.
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
    cast(:key_hashes as bytea[]), cast(:key_modes as text[]), cast(:key_previews as text[]),
    cast(:key_lengths as bigint[]), cast(:slots_ms as bigint[]), cast(:delays_ms as bigint[])
  ) with ordinality as given (
    id, queue, type, payload, priority, concurrency_key, run_at, tags, max_attempts, retry_policy, deadline,
    timeout_ms, explicit_options, key_hash, key_mode, key_preview, key_length, slot_ms, delay_ms, ord
  )
),
held as materialized (
  select
    request.ord, job.id,
    request.key_mode = 'throttle-slot'
      and job.key_expires_at > moment.at
      and exists (select from workhorse.job_run where job_run.job_id = job.id) as throttled
  from request
  join workhorse.job on job.key_hash = request.key_hash
  cross join moment
),
locked as materialized (
  select request.ord, request.key_hash, job.id, job.key_expires_at
  from held
  join request on request.ord = held.ord
  join workhorse.job
    on job.id = held.id
    and job.key_hash = request.key_hash
  where not held.throttled
  order by request.key_hash
  for no key update of job
),
run as materialized (
  select
    job_run.job_id, job_run.queue, job_run.type, job_run.state, job_run.attempt, job_run.fence, job_run.started_at
  from locked
  join workhorse.job_run on job_run.job_id = locked.id
  order by locked.key_hash
  for update of job_run
),
judged as materialized (
  select
    request.ord, locked.id, run.state, run.attempt, run.started_at, seen.at,
    case
      when request.key_mode = 'throttle-slot' then 'free'
      when request.key_mode = 'debounce-slot' then
        case
          when run.fence = 0 and run.state in ('scheduled', 'ready') and locked.key_expires_at > seen.at then 'updated'
          else 'free'
        end
      when run.state = 'running' then 'superseded'
      when run.job_id is not null then 'updated'
      when coalesce(job_outcome.keep_until, job_outcome.finished_at + make_interval(
        secs => case job_outcome.state
          when 'succeeded' then cast(:succeeded_ms as bigint)
          when 'failed' then cast(:failed_ms as bigint)
          else cast(:cancelled_ms as bigint)
        end / 1000.0
      )) > seen.at then 'retained'
      when job_outcome.job_id is not null then 'free'
    end as decision
  from locked
  join request on request.ord = locked.ord
  left join run on run.job_id = locked.id
  left join workhorse.job_outcome on job_outcome.job_id = locked.id
  cross join lateral (select workhorse.clock() as at, locked.id, run.job_id) as seen
),
updated_run as (
  update workhorse.job_run
  set priority = request.priority,
      concurrency_key = request.concurrency_key,
      run_at = next_run.at,
      state = case when next_run.at > judged.at then 'scheduled' else 'ready' end
  from judged
  join request on request.ord = judged.ord
  join locked on locked.ord = judged.ord
  cross join lateral (
    select case
      when request.key_mode = 'debounce-slot' then locked.key_expires_at
      when judged.state = 'waiting' then judged.at
      else coalesce(request.run_at, judged.at + make_interval(secs => request.delay_ms / 1000.0), judged.at)
    end as at
  ) as next_run
  where job_run.job_id = judged.id
    and judged.decision = 'updated'
  returning judged.ord, extract(epoch from job_run.run_at - judged.at) * 1000 as delay_ms
),
updated_job as (
  update workhorse.job
  set payload = cast(request.payload as jsonb),
      priority = case when judged.decision = 'updated' then request.priority else job.priority end,
      concurrency_key = case when judged.decision = 'updated' then request.concurrency_key else job.concurrency_key end,
      run_at = case when judged.decision = 'updated' then request.run_at else job.run_at end,
      trace_context = case
        when judged.decision = 'updated' then cast(:trace_context as jsonb)
        else job.trace_context
      end,
      replacements = job.replacements + 1,
      replaced_at = judged.at
  from judged
  join request on request.ord = judged.ord
  where job.id = judged.id
    and judged.decision in ('updated', 'retained')
),
superseded_run as (
  delete from workhorse.job_run
  using judged
  where job_run.job_id = judged.id
    and judged.decision = 'superseded'
),
superseded_outcome as (
  insert into workhorse.job_outcome (job_id, state, attempt, error, started_at, finished_at)
  select
    judged.id, 'failed', judged.attempt,
    jsonb_build_object('type', 'superseded', 'message', 'superseded by reinvoke'), judged.started_at, judged.at
  from judged
  where judged.decision = 'superseded'
),
superseded_event as (
  insert into workhorse.job_event (job_id, at, kind, attempt, details)
  select
    judged.id, judged.at, 'superseded', judged.attempt,
    jsonb_build_object('message', 'superseded by reinvoke', 'as', request.id)
  from judged
  join request on request.ord = judged.ord
  where judged.decision = 'superseded'
),
superseded_children as (
  insert into workhorse.follow_up (job_id, kind)
  select judged.id, 'cancel-children'
  from judged
  where judged.decision = 'superseded'
),
freed as (
  update workhorse.job
  set key_hash = null
  from judged
  where job.id = judged.id
    and judged.decision in ('superseded', 'free')
  returning judged.ord
),
created as (
  insert into workhorse.job (
    id, queue, type, payload, priority, concurrency_key, run_at, tags, max_attempts, retry_policy, deadline,
    timeout_ms, explicit_options, created_at,
    key_hash, key_mode, key_preview, key_length, key_window_ms, key_expires_at, trace_context
  )
  select
    request.id, request.queue, request.type, cast(request.payload as jsonb), request.priority,
    request.concurrency_key, request.run_at,
    nullif(array(select jsonb_array_elements_text(cast(request.tags as jsonb))), '{}'),
    request.max_attempts, request.retry_policy, request.deadline, request.timeout_ms,
    nullif(string_to_array(request.explicit_options, ','), '{}'), begun.at,
    request.key_hash, request.key_mode, request.key_preview, request.key_length, request.slot_ms,
    to_timestamp((floor(extract(epoch from begun.at) * 1000 / request.slot_ms) + 1) * request.slot_ms / 1000),
    cast(:trace_context as jsonb)
  from request
  left join judged on judged.ord = request.ord
  left join freed on freed.ord = request.ord
  cross join moment
  cross join lateral (select coalesce(judged.at, moment.at) as at) as begun
  where freed.ord is not null
    or not exists (select from held where held.ord = request.ord)
  order by request.key_hash
  on conflict (key_hash) where key_hash is not null do nothing
  returning id, created_at, key_mode, key_expires_at, run_at
),
started as (
  insert into workhorse.job_run (job_id, queue, type, state, priority, concurrency_key, run_at)
  select
    created.id, request.queue, request.type,
    case when next_run.at > created.created_at then 'scheduled' else 'ready' end,
    request.priority, request.concurrency_key, next_run.at
  from created
  join request on request.id = created.id
  cross join lateral (
    select case
      when created.key_mode = 'debounce-slot' then created.key_expires_at
      else coalesce(
        created.run_at, created.created_at + make_interval(secs => request.delay_ms / 1000.0), created.created_at
      )
    end as at
  ) as next_run
  returning job_id, run_at
)
select
  case
    when judged.decision = 'superseded' then 'superseded'
    when created.id is not null then 'created'
    when held.throttled then 'throttled'
    when judged.decision <> 'free' then judged.decision
  end as outcome,
  coalesce(created.id, held.id) as job_id,
  case when judged.decision = 'superseded' then judged.id end as superseded_id,
  coalesce(updated_run.delay_ms, extract(epoch from started.run_at - created.created_at) * 1000) as delay_ms,
  created.key_expires_at <= workhorse.clock() as slot_passed
from request
left join held on held.ord = request.ord
left join judged on judged.ord = request.ord
left join updated_run on updated_run.ord = request.ord
left join created on created.id = request.id
left join started on started.job_id = request.id
order by request.ord
