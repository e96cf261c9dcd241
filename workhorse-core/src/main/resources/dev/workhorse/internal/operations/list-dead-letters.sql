-- Lists failed jobs that pass a filter, the latest first, from behind a place, looking at a bounded number of them; the
-- last one looked at is there in any case. Locks nothing. Indexes: job_outcome_failed_idx, job_pk, job_event_pk.
with looked as materialized (
  select
    job_outcome.job_id, job_outcome.attempt, job_outcome.finished_at, job_outcome.error,
    row_number() over (order by job_outcome.finished_at desc, job_outcome.job_id desc) as place
  from workhorse.job_outcome
  where job_outcome.state = 'failed'
    and job_outcome.finished_at >= coalesce(cast(:failed_from as timestamptz), '-infinity')
    and job_outcome.finished_at < coalesce(cast(:failed_until as timestamptz), 'infinity')
    and (job_outcome.finished_at, job_outcome.job_id) < (
      coalesce(cast(:after_at as timestamptz), 'infinity'),
      coalesce(cast(:after_id as uuid), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
  order by job_outcome.finished_at desc, job_outcome.job_id desc
  limit :looked
),
judged as (
  select
    job.id, job.queue, job.type, looked.attempt, looked.finished_at, job.redrive_of, looked.place,
    looked.error ->> 'type' as error_type, looked.error ->> 'message' as error_message,
    (cast(:queue as text) is null or job.queue = :queue)
      and (cast(:type as text) is null or job.type = :type)
      and (cast(:error_type as text) is null or looked.error ->> 'type' is not distinct from :error_type) as passes
  from looked
  join workhorse.job on job.id = looked.job_id
)
select
  judged.*,
  array(
    select cast(job_event.details ->> 'as' as uuid)
    from workhorse.job_event
    where job_event.job_id = judged.id
      and job_event.kind = 'redriven'
    order by job_event.id
  ) as redriven_as
from judged
where judged.passes
  or judged.place = :looked
order by judged.finished_at desc, judged.id desc
limit :most
