-- Of attempts whose end could not be written although an earlier try may have been, tells which it was written for, and
-- how they ended. An attempt whose lease was taken back wrote nothing. Locks nothing.
-- Indexes: job_outcome_pk, job_event_pk, job_wait_pk.
select given.job_id, given.fence, coalesce(job_outcome.state, given.ending) as ending
from unnest(
  cast(:job_ids as uuid[]), cast(:fences as bigint[]), cast(:attempts as bigint[]), cast(:ends as text[]),
  cast(:claimed_attempts as bigint[])
) as given (job_id, fence, attempts, ending, claimed_attempt)
left join workhorse.job_outcome
  on job_outcome.job_id = given.job_id
  and job_outcome.attempt = given.attempts
  and job_outcome.state in (given.ending, 'cancelled')
where not exists (
    select
    from workhorse.job_event
    where job_event.job_id = given.job_id
      and job_event.kind = 'lease-expired'
      and job_event.attempt = given.claimed_attempt
  )
  and (
    job_outcome.job_id is not null
    or exists (
      select
      from workhorse.job_event
      where job_event.job_id = given.job_id
        and given.ending <> 'succeeded'
        and job_event.kind = case given.ending when 'released' then 'attempt-released' else 'attempt-failed' end
        and job_event.attempt = given.claimed_attempt
    )
    or (
      given.ending = 'suspended'
      and exists (
        select
        from workhorse.job_wait
        where job_wait.job_id = given.job_id
          and job_wait.fence = given.fence
      )
    )
  )
