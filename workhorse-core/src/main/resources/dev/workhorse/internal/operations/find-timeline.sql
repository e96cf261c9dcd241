-- Reads what happened to a job and its key, in order: what is out of the ordinary from the events, the rest from the
-- rows that exist anyway. Locks nothing. Indexes: job_pk, job_event_pk, job_run_pk, job_outcome_pk, checkpoint_pk,
-- job_wait_pk, job_child_uq.
with entry as (
  select 0 as place, job.created_at as at, 'accepted' as kind, cast(null as smallint) as attempt, null as by,
    null as reason
  from workhorse.job
  where job.id = :id
  union all
  select 1, job.replaced_at, 'replaced', null, null, job.replacements || ' times, the last now'
  from workhorse.job
  where job.id = :id
    and job.replaced_at is not null
  union all
  select 2 + job_event.id, job_event.at, job_event.kind, job_event.attempt, job_event.details ->> 'by',
    coalesce(job_event.details ->> 'reason', job_event.details ->> 'message', job_event.details ->> 'as')
  from workhorse.job_event
  where job_event.job_id = :id
  union all
  select 2, checkpoint.stored_at, 'checkpoint', null, null, checkpoint.name
  from workhorse.checkpoint
  where checkpoint.job_id = :id
    and checkpoint.child_id is null
  union all
  select
    2, job_wait.since,
    case job_wait.kind when 'sleep' then 'sleeping' when 'child' then 'waiting-for-child' else 'waiting-for-event' end,
    null, null, job_wait.name
  from workhorse.job_wait
  where job_wait.job_id = :id
  union all
  select 2, child.created_at, 'child-started', null, null, child.child_name
  from workhorse.job as child
  where child.parent_id = :id
  union all
  select cast(9223372036854775806 as bigint), job_run.started_at, 'running', job_run.attempt, null, null
  from workhorse.job_run
  where job_run.job_id = :id
    and job_run.state = 'running'
  union all
  select
    cast(9223372036854775807 as bigint), job_outcome.finished_at, job_outcome.state, job_outcome.attempt, null, null
  from workhorse.job_outcome
  where job_outcome.job_id = :id
    and job_outcome.state <> 'cancelled'
)
select at, kind, attempt, by, reason
from entry
order by at, place
