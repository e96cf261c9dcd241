-- Lists failed jobs, the latest first, from behind a place. Locks nothing. Index: job_outcome_failed_idx.
select
  job.id, job.queue, job.type, job_outcome.attempt, job_outcome.finished_at, job.redrive_of,
  job_outcome.error ->> 'type' as error_type, job_outcome.error ->> 'message' as error_message,
  array(
    select cast(job_event.details ->> 'as' as uuid)
    from workhorse.job_event
    where job_event.job_id = job.id
      and job_event.kind = 'redriven'
    order by job_event.id
  ) as redriven_as
from workhorse.job_outcome
join workhorse.job on job.id = job_outcome.job_id
where job_outcome.state = 'failed'
  and (cast(:queue as text) is null or job.queue = :queue)
  and (cast(:type as text) is null or job.type = :type)
  and (cast(:error_type as text) is null or job_outcome.error ->> 'type' = :error_type)
  and (cast(:failed_from as timestamptz) is null or job_outcome.finished_at >= :failed_from)
  and (cast(:failed_until as timestamptz) is null or job_outcome.finished_at < :failed_until)
  and (
    cast(:after_at as timestamptz) is null
    or (job_outcome.finished_at, job_outcome.job_id) < (:after_at, cast(:after_id as uuid))
  )
order by job_outcome.finished_at desc, job_outcome.job_id desc
limit :most
