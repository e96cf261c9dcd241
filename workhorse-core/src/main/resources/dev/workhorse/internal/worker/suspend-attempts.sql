-- Stores that attempts are suspended, and what they wait for; a wait they have been in before keeps its time. One with
-- a live fence that nobody asked to be cancelled counts; a row that another transaction has locked is passed over. Who
-- waits for a child or an event is left to a follow-up, as that may have come meanwhile. Locks job_run rows in the
-- order of their ids. Answers with the jobs that were suspended. Indexes: job_run_pk, job_pk, job_wait_pk.
with moment as materialized (
  select workhorse.clock() as at
),
held as materialized (
  select
    run.place, given.wait,
    coalesce(
      cast(given.wait ->> 'until' as timestamptz),
      moment.at + make_interval(secs => cast(given.wait ->> 'delayMs' as bigint) / 1000.0)
    ) as until
  from (
    select row.job_id, row.fence, cast(row.wait as jsonb) as wait
    from unnest(
      cast(:job_ids as uuid[]), cast(:fences as bigint[]), cast(:waits as text[])
    ) as row (job_id, fence, wait)
    order by row.job_id
  ) as given
  cross join moment
  cross join lateral (
    select job_run.ctid as place
    from workhorse.job_run
    where job_run.job_id = given.job_id
      and job_run.fence = given.fence
      and job_run.worker is not null
      and job_run.cancel_request is null
    for no key update skip locked
  ) as run
),
suspended as (
  update workhorse.job_run
  set state = 'waiting',
      run_at = least(
        coalesce(held.until, moment.at + interval '365 days'), cast(held.wait ->> 'deadline' as timestamptz)
      ),
      suspended = true,
      worker = null,
      started_at = null,
      lease_until = null
  from held
  cross join moment
  where job_run.ctid = held.place
  returning job_run.job_id, job_run.fence, held.wait, held.until
),
wait as (
  insert into workhorse.job_wait (
    job_id, name, kind, seq, fence, since, until, child_id, event, filter, emitted_from
  )
  select
    suspended.job_id, step.name, suspended.wait ->> 'kind', step.seq, suspended.fence, moment.at, suspended.until,
    step.child, suspended.wait ->> 'event', suspended.wait -> 'filter',
    case
      when suspended.wait ->> 'kind' = 'event'
      then (select job.created_at from workhorse.job where job.id = suspended.job_id)
    end
  from suspended
  cross join moment
  cross join lateral jsonb_to_recordset(suspended.wait -> 'steps') as step (name text, seq integer, child uuid)
  on conflict (job_id, name) do update
  set fence = excluded.fence,
      child_id = excluded.child_id,
      event = excluded.event,
      filter = excluded.filter
),
follow_up as (
  insert into workhorse.follow_up (job_id, kind)
  select suspended.job_id, 'wake'
  from suspended
  where suspended.wait ->> 'kind' <> 'sleep'
)
select job_id, fence, 'suspended' as ending from suspended
