-- Makes jobs ready that are due: scheduled ones, sleeping ones, those whose wait has timed out, and those noted that
-- have nothing left to wait for. Tells when the next one will be, whether children are to be cancelled, whether events
-- are pending and, if asked, whether a lease is over, so that an idle node asks one question instead of four. Passes
-- over locked rows; the note on a job whose row is locked stays. A note is only looked at after what it stands for is
-- committed, so whichever of a wait and the end of it is stored last finds the other. Indexes: job_run_scheduled_idx,
-- job_run_running_idx, follow_up_pk, job_run_pk, job_wait_pk, event_pending_idx, event_name_idx.
with moment as materialized (
  select workhorse.clock() as at
),
due as materialized (
  select job_run.ctid
  from workhorse.job_run
  where job_run.state in ('scheduled', 'waiting')
    and job_run.run_at <= (select moment.at from moment)
  order by job_run.run_at
  limit :most
  for no key update skip locked
),
noted as materialized (
  select follow_up.id, follow_up.job_id
  from workhorse.follow_up
  where follow_up.kind = 'wake'
  order by follow_up.id
  limit :most
  for update skip locked
),
content as materialized (
  select job_run.job_id
  from workhorse.job_run
  where job_run.job_id in (select noted.job_id from noted)
    and job_run.state = 'waiting'
    and not exists (
      select
      from workhorse.job_wait
      where job_wait.job_id = job_run.job_id
        and job_wait.fence = job_run.fence
        and job_wait.ended_at is null
        and case job_wait.kind
          when 'child' then exists (select from workhorse.job_run as child where child.job_id = job_wait.child_id)
          when 'event' then not exists (
            select
            from workhorse.event
            where event.name = job_wait.event
              and event.emitted_at >= job_wait.emitted_from
              and workhorse.matches(event.payload, job_wait.filter)
              and not exists (
                select
                from workhorse.job_wait as other
                where other.job_id = job_wait.job_id
                  and other.event_id = event.id
              )
          )
          else true
        end
    )
),
woken as materialized (
  select job_run.ctid
  from content
  join workhorse.job_run
    on job_run.job_id = content.job_id
    and job_run.state = 'waiting'
  order by job_run.job_id
  for no key update of job_run skip locked
),
promoted as (
  update workhorse.job_run
  set state = 'ready',
      run_at = least(job_run.run_at, moment.at)
  from moment
  where job_run.ctid = any (array(select due.ctid from due union all select woken.ctid from woken))
    and job_run.state in ('scheduled', 'waiting')
  returning job_run.job_id, job_run.queue
),
done as (
  delete from workhorse.follow_up
  using noted
  where follow_up.id = noted.id
    and (
      noted.job_id in (select promoted.job_id from promoted)
      or noted.job_id not in (select content.job_id from content)
    )
)
select
  (select array_agg(distinct promoted.queue) from promoted) as queues,
  (select count(*) from due) = :most or (select count(*) from noted) = :most as more,
  (
    select ceil(extract(epoch from min(job_run.run_at) - (select moment.at from moment)) * 1000)
    from workhorse.job_run
    where job_run.state in ('scheduled', 'waiting')
      and job_run.run_at > (select moment.at from moment)
  ) as next_due_ms,
  exists (
    select
    from workhorse.follow_up
    where follow_up.kind = 'cancel-children'
      and not exists (select from workhorse.job_run where job_run.job_id = follow_up.job_id)
  ) as children_to_cancel,
  exists (select from workhorse.event where event.dispatched_at is null) as events_pending,
  -- not exists (…), for which a planner that hopes for many would read the table
  :look_at_leases and coalesce(
    (select min(job_run.lease_until) from workhorse.job_run where job_run.state = 'running')
      < (select moment.at from moment),
    false
  ) as leases_expired
