-- Decides a wait for an event for the attempt that waits: by the first event that was emitted in time, counts from the
-- acceptance of the job on and has not ended another of its waits; or by the time, if that is over; or not yet. The
-- decision is stored and final. Only for an attempt that still has its live fence, whose run is locked until the
-- transaction ends, so that nobody else decides. Indexes: job_run_pk, job_pk, job_wait_pk, event_name_idx.
with held as materialized (
  select job_run.job_id
  from workhorse.job_run
  where job_run.job_id = :job_id
    and job_run.fence = :fence
    and job_run.worker is not null
  for no key update
),
moment as materialized (
  select workhorse.clock() as at
),
known as materialized (
  select job_wait.until
  from workhorse.job_wait
  where job_wait.job_id = :job_id
    and job_wait.name = :name
),
found as materialized (
  select event.id, event.payload
  from workhorse.job
  join workhorse.event
    on event.name = :event
    and event.emitted_at >= job.created_at
  where job.id = :job_id
    and event.emitted_at <= coalesce((select known.until from known), event.emitted_at)
    and workhorse.matches(event.payload, cast(:filter as jsonb))
    and not exists (
      select
      from workhorse.job_wait as other
      where other.job_id = job.id
        and other.event_id = event.id
    )
  order by event.emitted_at, event.id
  limit 1
),
decided as (
  insert into workhorse.job_wait (
    job_id, name, kind, seq, fence, since, event, filter, emitted_from, ended_at, event_id, value
  )
  select
    held.job_id, :name, 'event', :seq, :fence, moment.at, :event, cast(:filter as jsonb), job.created_at, moment.at,
    found.id, found.payload
  from held
  join workhorse.job on job.id = held.job_id
  cross join moment
  left join found on true
  where found.id is not null
    or exists (select from known where known.until <= moment.at)
  on conflict (job_id, name) do update
  set ended_at = excluded.ended_at,
      event_id = excluded.event_id,
      value = excluded.value
  where job_wait.ended_at is null
  returning event_id, value
)
select
  (select count(*) from held) as held,
  exists (select from decided) as decided,
  (select decided.event_id from decided) as event_id,
  (select cast(decided.value as text) from decided) as value
