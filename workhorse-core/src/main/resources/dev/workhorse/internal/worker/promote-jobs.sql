-- Makes scheduled jobs ready that have become due, and tells when the next one will be, and whether events are pending.
-- Passes over locked rows. Indexes: job_run_scheduled_idx, event_pending_idx.
with moment as materialized (
  select workhorse.clock() as at
),
due as materialized (
  select job_run.ctid
  from workhorse.job_run
  where job_run.state = 'scheduled'
    and job_run.run_at <= (select moment.at from moment)
  order by job_run.run_at
  limit :most
  for no key update skip locked
),
promoted as (
  update workhorse.job_run
  set state = 'ready'
  where job_run.ctid = any (array(select due.ctid from due))
    and job_run.state = 'scheduled'
  returning job_run.queue
)
select
  (select array_agg(distinct promoted.queue) from promoted) as queues,
  (select count(*) from promoted) as jobs,
  (
    select ceil(extract(epoch from min(job_run.run_at) - (select moment.at from moment)) * 1000)
    from workhorse.job_run
    where job_run.state = 'scheduled'
      and job_run.run_at > (select moment.at from moment)
  ) as next_due_ms,
  exists (select from workhorse.event where event.dispatched_at is null) as events_pending
