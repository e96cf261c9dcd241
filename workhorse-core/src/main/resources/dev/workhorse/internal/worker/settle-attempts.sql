-- Stores how a batch of attempts ended, whatever mix of ends it is but suspensions. An attempt counts only with its
-- live fence; a row that another transaction has locked is passed over and settled later. An attempt that somebody
-- asked to be cancelled ends its job unless it succeeded. A released job keeps its place in the queue and its number
-- of attempts. Locks job_run rows in the order of their ids and finds them again by ctid: a row that moved in the
-- meantime is settled later. Each row is looked up by itself and what is known of it is handed on, so that no plan
-- compares all with all. Answers with the jobs that were settled and how. Index: job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
held as materialized (
  select
    run.place, run.job_id, run.attempt, run.started_at,
    given.attempts, cast(given.result as jsonb) as result, given.delay_ms, ending.name as ending,
    case when ending.name = 'cancelled' then run.cancel_request else cast(given.error as jsonb) end as error,
    case when ending.name = 'cancelled' then given.cancelled_retention_ms else given.retention_ms end as retention_ms
  from (
    select *
    from unnest(
      cast(:job_ids as uuid[]), cast(:fences as bigint[]), cast(:attempts as bigint[]), cast(:ends as text[]),
      cast(:results as text[]), cast(:errors as text[]), cast(:delays_ms as bigint[]),
      cast(:retentions_ms as bigint[]), cast(:cancelled_retentions_ms as bigint[])
    ) as row (job_id, fence, attempts, ending, result, error, delay_ms, retention_ms, cancelled_retention_ms)
    order by row.job_id
  ) as given
  cross join lateral (
    select job_run.ctid as place, job_run.job_id, job_run.attempt, job_run.started_at, job_run.cancel_request
    from workhorse.job_run
    where job_run.job_id = given.job_id
      and job_run.fence = given.fence
      and job_run.worker is not null
    for no key update skip locked
  ) as run
  cross join lateral (
    select
      case when run.cancel_request is not null and given.ending <> 'succeeded' then 'cancelled' else given.ending end
        as name
  ) as ending
),
finished as (
  delete from workhorse.job_run
  using held
  where job_run.ctid = held.place
    and held.ending in ('succeeded', 'failed', 'cancelled')
  returning job_run.fence, held.*
),
outcome as (
  insert into workhorse.job_outcome (job_id, state, attempt, result, error, started_at, finished_at, keep_until)
  select
    finished.job_id, finished.ending, finished.attempts, finished.result, finished.error, finished.started_at,
    moment.at, moment.at + make_interval(secs => finished.retention_ms / 1000.0)
  from finished
  cross join moment
),
again as (
  update workhorse.job_run
  set state = case when held.delay_ms > 0 then 'scheduled' else 'ready' end,
      run_at = case
        when held.ending = 'released' then job_run.run_at
        else moment.at + make_interval(secs => held.delay_ms / 1000.0)
      end,
      attempt = held.attempts,
      suspended = held.ending = 'released' and job_run.suspended,
      worker = null,
      started_at = null,
      lease_until = null
  from held
  cross join moment
  where job_run.ctid = held.place
    and held.ending in ('retried', 'released')
  returning job_run.fence, held.*
),
settled as (
  select * from finished
  union all
  select * from again
),
event as (
  insert into workhorse.job_event (job_id, at, kind, attempt, details)
  select
    settled.job_id, moment.at,
    case settled.ending
      when 'released' then 'attempt-released'
      when 'cancelled' then 'cancelled'
      else 'attempt-failed'
    end,
    case when settled.ending = 'released' then settled.attempt else settled.attempts end,
    settled.error
  from settled
  cross join moment
  where settled.ending <> 'succeeded'
)
select job_id, fence, ending from settled
