-- Makes the jobs of pending events, the oldest first: one job of each subscriber whose filter the payload matches, for
-- a bounded number of subscribers of each event at a time. How far an event has got is kept in its row, in the same
-- statement as the jobs; and the id of a job follows from event and type, so that there cannot be a second one.
-- Suspended jobs that wait for such an event are noted, to be woken. Locks the events and passes over those others
-- hold. Indexes: event_pending_idx, subscription_pk, job_wait_event_idx.
with moment as materialized (
  select workhorse.clock() as at
),
picked as materialized (
  select event.id, event.name, event.payload, event.emitted_at, event.dispatched_to, event.trace_context
  from workhorse.event
  where event.dispatched_at is null
  order by event.emitted_at
  limit :most_events
  for no key update skip locked
),
subscriber as materialized (
  select picked.id as event_id, next.*, workhorse.matches(picked.payload, next.filter) as wanted
  from picked
  cross join lateral (
    select subscription.type, subscription.queue, subscription.filter, subscription.payload_fields,
      subscription.max_attempts, subscription.retry_policy
    from workhorse.subscription
    where subscription.event = picked.name
      and subscription.type > coalesce(picked.dispatched_to, '')
      and subscription.ended_at is null
    order by subscription.type
    limit :most_subscribers
  ) as next
),
made as (
  insert into workhorse.job (
    id, queue, type, payload, priority, max_attempts, retry_policy, created_at, event, trace_context
  )
  select
    cast(
      substr(cast(picked.id as text), 1, 19) || '8' || substr(digest.hex, 1, 3) || '-' || substr(digest.hex, 4, 12)
      as uuid
    ),
    subscriber.queue, subscriber.type,
    case
      when subscriber.payload_fields is null then picked.payload
      when jsonb_typeof(picked.payload) <> 'object' then '{}'
      else (
        select coalesce(jsonb_object_agg(member.key, member.value), '{}')
        from jsonb_each(picked.payload) as member
        where member.key = any (subscriber.payload_fields)
      )
    end,
    0, subscriber.max_attempts, subscriber.retry_policy, moment.at,
    jsonb_build_object(
      'id', picked.id,
      'name', picked.name,
      'emittedAt', to_char(picked.emitted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    ),
    picked.trace_context
  from subscriber
  join picked on picked.id = subscriber.event_id
  cross join lateral (
    select encode(sha256(convert_to(cast(picked.id as text) || ' ' || subscriber.type, 'UTF8')), 'hex') as hex
  ) as digest
  cross join moment
  where subscriber.wanted
  returning id, queue, type, created_at
),
run as (
  insert into workhorse.job_run (job_id, queue, type, state, priority, run_at)
  select made.id, made.queue, made.type, 'ready', 0, made.created_at
  from made
),
awaited as (
  insert into workhorse.follow_up (job_id, kind)
  select distinct job_wait.job_id, 'wake'
  from picked
  join workhorse.job_wait
    on job_wait.event = picked.name
    and job_wait.kind = 'event'
    and job_wait.ended_at is null
    and workhorse.matches(picked.payload, job_wait.filter)
  where picked.dispatched_to is null
  returning job_id
),
progress as (
  select picked.id, count(subscriber.type) < :most_subscribers as complete, max(subscriber.type) as last_type
  from picked
  left join subscriber on subscriber.event_id = picked.id
  group by picked.id
),
advanced as (
  update workhorse.event
  set dispatched_to = coalesce(progress.last_type, event.dispatched_to),
      dispatched_at = case when progress.complete then moment.at end
  from progress
  cross join moment
  where event.id = progress.id
)
select
  (select array_agg(distinct made.queue) from made) as queues,
  (select count(*) from made) as jobs,
  (select count(*) from picked) as events,
  exists (select from awaited) as awaited,
  exists (select from progress where not progress.complete) as unfinished
