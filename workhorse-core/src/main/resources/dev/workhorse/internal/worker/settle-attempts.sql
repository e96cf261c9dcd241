-- Stores how a batch of attempts ended, whatever mix of ends it is but suspensions. An attempt counts only with its
-- live fence; a row that another transaction has locked is passed over and settled later. An attempt that somebody
-- asked to be cancelled ends its job unless it succeeded. A released job keeps its place in the queue and its number
-- of attempts. Locks job_run rows in the order of their ids. Answers with the jobs that were settled and how.
-- Index: job_run_pk.
with moment as materialized (
  select workhorse.clock() as at
),
settlement as (
  select *
  from unnest(
    cast(:job_ids as uuid[]), cast(:fences as bigint[]), cast(:attempts as bigint[]), cast(:ends as text[]),
    cast(:results as text[]), cast(:errors as text[]), cast(:delays_ms as bigint[]),
    cast(:retentions_ms as bigint[]), cast(:cancelled_retentions_ms as bigint[])
  ) as given (job_id, fence, attempts, ending, result, error, delay_ms, retention_ms, cancelled_retention_ms)
),
held as materialized (
  select
    job_run.job_id, job_run.attempt, job_run.started_at,
    settlement.attempts, settlement.result, settlement.error, settlement.delay_ms, job_run.cancel_request,
    settlement.retention_ms, settlement.cancelled_retention_ms,
    case
      when job_run.cancel_request is not null and settlement.ending <> 'succeeded' then 'cancelled'
      else settlement.ending
    end as ending
  from settlement
  join workhorse.job_run
    on job_run.job_id = settlement.job_id
    and job_run.fence = settlement.fence
    and job_run.state = 'running'
  order by job_run.job_id
  for no key update of job_run skip locked
),
finished as (
  delete from workhorse.job_run
  using held
  where job_run.job_id = held.job_id
    and held.ending in ('succeeded', 'failed', 'cancelled')
  returning job_run.job_id, job_run.fence, held.ending
),
outcome as (
  insert into workhorse.job_outcome (job_id, state, attempt, result, error, started_at, finished_at, keep_until)
  select
    held.job_id, held.ending, held.attempts, cast(held.result as jsonb),
    case when held.ending = 'cancelled' then held.cancel_request else cast(held.error as jsonb) end,
    held.started_at, moment.at,
    moment.at + make_interval(
      secs => case when held.ending = 'cancelled' then held.cancelled_retention_ms else held.retention_ms end / 1000.0
    )
  from finished
  join held on held.job_id = finished.job_id
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
  where job_run.job_id = held.job_id
    and held.ending in ('retried', 'released')
  returning job_run.job_id, job_run.fence, held.ending
),
settled as (
  select job_id, fence, ending from finished
  union all
  select job_id, fence, ending from again
),
event as (
  insert into workhorse.job_event (job_id, at, kind, attempt, details)
  select
    held.job_id, moment.at,
    case held.ending
      when 'released' then 'attempt-released'
      when 'cancelled' then 'cancelled'
      else 'attempt-failed'
    end,
    case when held.ending = 'released' then held.attempt else held.attempts end,
    case when held.ending = 'cancelled' then held.cancel_request else cast(held.error as jsonb) end
  from settled
  join held on held.job_id = settled.job_id
  cross join moment
  where held.ending <> 'succeeded'
)
select job_id, fence, ending from settled
