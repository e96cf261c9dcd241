--liquibase formatted sql

--changeset workhorse:clock splitStatements:false
--comment The one clock that every statement reads; its own function so that tests can move it.
create function ${schema}.clock() returns timestamptz
language sql volatile
as 'select clock_timestamp()';
--rollback drop function ${schema}.clock();

--changeset workhorse:job
--comment The accepted definition of a job and the key it holds. Written once, deleted by retention.
create table ${schema}.job (
  id uuid not null,
  queue text not null,
  type text not null,
  payload jsonb not null,
  priority smallint not null,
  concurrency_key text,
  run_at timestamptz,
  tags text[],
  max_attempts smallint not null,
  retry_policy text not null,
  deadline timestamptz,
  timeout_ms bigint,
  explicit_options text[],
  created_at timestamptz not null,
  key_hash bytea,
  key_mode text,
  key_scope text,
  key_preview text,
  key_length smallint,
  key_fingerprint bytea,
  key_window_ms bigint,
  key_expires_at timestamptz,
  replacements integer not null default 0,
  replaced_at timestamptz,
  redrive_of uuid,
  trace_context jsonb,
  parent_id uuid,
  child_name text,
  cancel_with_parent boolean,
  depth smallint,
  event jsonb,
  constraint job_pk primary key (id)
);
create unique index job_key_hash_uq on ${schema}.job (key_hash) where key_hash is not null;
create index job_key_expires_idx on ${schema}.job (key_expires_at) where key_hash is not null;
create unique index job_child_uq on ${schema}.job (parent_id, child_name) where parent_id is not null;
comment on table ${schema}.job is 'Accepted jobs, each with the key it holds: a key is live while key_hash is set and key_expires_at, if any, lies ahead.';
comment on column ${schema}.job.run_at is 'The time the caller asked for; null for at once.';
comment on column ${schema}.job.explicit_options is 'The options the caller gave; the others were resolved from defaults.';
comment on column ${schema}.job.redrive_of is 'The dead letter this job runs again; null for a job that was enqueued.';
comment on column ${schema}.job.trace_context is 'The trace the request belongs to, such as its traceparent; null for none.';
comment on column ${schema}.job.parent_id is 'The job whose handler started this one as a child; null for a job that was enqueued.';
comment on column ${schema}.job.depth is 'How many ancestors a child has.';
comment on column ${schema}.job.event is 'The id, name and time of the event the job was made for; null for any other job.';
comment on column ${schema}.job.replacements is 'How often a debounced request or an invoke took the place of the one before.';
comment on column ${schema}.job.key_hash is 'Hash over space, scope and key, or task, queue and key; null once the key was released or taken over.';
comment on column ${schema}.job.key_window_ms is 'The ttl of an idempotency key, the window of a debounced or throttled one, or the length of a slot, in milliseconds.';
--rollback drop table ${schema}.job;

--changeset workhorse:job-run
--comment The only hot table: one narrow row for each live job. Kept free of payloads so that claims and heartbeats touch few bytes.
create table ${schema}.job_run (
  job_id uuid not null,
  queue text not null,
  type text not null,
  state text not null,
  priority smallint not null,
  concurrency_key text,
  run_at timestamptz not null,
  attempt smallint not null default 0,
  fence bigint not null default 0,
  worker uuid,
  started_at timestamptz,
  lease_until timestamptz,
  cancel_request jsonb,
  suspended boolean not null default false,
  constraint job_run_pk primary key (job_id),
  constraint job_run_state_ck check (state in ('scheduled', 'ready', 'running', 'waiting')),
  constraint job_run_lease_ck check (
    (state = 'running') = (worker is not null and started_at is not null and lease_until is not null)
  )
) with (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0,
  autovacuum_analyze_scale_factor = 0.05
);
create index job_run_ready_idx on ${schema}.job_run (queue, (-priority), run_at, job_id) where state = 'ready';
create index job_run_scheduled_idx on ${schema}.job_run (run_at) where state in ('scheduled', 'waiting');
create index job_run_running_idx on ${schema}.job_run (worker) where state = 'running';
create index job_run_group_idx on ${schema}.job_run (queue, concurrency_key)
  where state = 'running' and concurrency_key is not null;
comment on table ${schema}.job_run is 'Live jobs: scheduled, ready, running or waiting. A job has either a row here or one in job_outcome.';
comment on column ${schema}.job_run.attempt is 'How many attempts have started.';
comment on column ${schema}.job_run.fence is 'Raised by every claim and recovery; a write that carries an older one is refused.';
comment on column ${schema}.job_run.cancel_request is 'Who asked for a running job to be cancelled, and why; null for nobody.';
comment on column ${schema}.job_run.suspended is 'Whether the last attempt was suspended, so that the next claim goes on with it.';
comment on column ${schema}.job_run.lease_until is 'Not indexed, so that heartbeats rewrite no index.';
--rollback drop table ${schema}.job_run;

--changeset workhorse:job-outcome
--comment How a job ended. Appended once.
create table ${schema}.job_outcome (
  job_id uuid not null,
  state text not null,
  attempt smallint not null,
  result jsonb,
  error jsonb,
  started_at timestamptz,
  finished_at timestamptz not null,
  keep_until timestamptz,
  constraint job_outcome_pk primary key (job_id),
  constraint job_outcome_state_ck check (state in ('succeeded', 'failed', 'cancelled'))
);
create index job_outcome_finished_idx on ${schema}.job_outcome (state, finished_at) where keep_until is null;
create index job_outcome_kept_idx on ${schema}.job_outcome (state, keep_until) where keep_until is not null;
create index job_outcome_failed_idx on ${schema}.job_outcome (finished_at, job_id) where state = 'failed';
comment on table ${schema}.job_outcome is 'Finished jobs. The failed ones are the dead letters.';
comment on column ${schema}.job_outcome.keep_until is 'How long its handler keeps the job; null for the retention of its state.';
--rollback drop table ${schema}.job_outcome;

--changeset workhorse:job-event
--comment What was out of the ordinary in the life of a job. The ordinary path is read off the other tables.
create table ${schema}.job_event (
  id bigint generated always as identity,
  job_id uuid not null,
  at timestamptz not null,
  kind text not null,
  attempt smallint,
  details jsonb,
  constraint job_event_pk primary key (job_id, id),
  constraint job_event_kind_ck check (kind in (
    'attempt-failed', 'lease-expired', 'attempt-released', 'cancel-requested', 'cancelled', 'key-released', 'purged',
    'redriven', 'run-now', 'superseded'
  ))
);
create index job_event_purged_idx on ${schema}.job_event (at) where kind = 'purged';
comment on table ${schema}.job_event is 'Errors of attempts, expired leases, releases and what people did, in order. The note that a job was purged outlives it.';
--rollback drop table ${schema}.job_event;

--changeset workhorse:durable-steps
--comment What the handlers of live jobs have done, so that it is not done again, and what suspended ones wait for.
create table ${schema}.checkpoint (
  job_id uuid not null,
  name text not null,
  seq integer not null,
  value jsonb,
  child_id uuid,
  stored_at timestamptz not null,
  constraint checkpoint_pk primary key (job_id, name),
  constraint checkpoint_value_ck check ((value is null) = (child_id is not null))
);
comment on table ${schema}.checkpoint is 'Values that handlers computed once, and children that they started. Stored once per job and name.';
comment on column ${schema}.checkpoint.child_id is 'The child that was started, known also after it was purged; null for a value.';
create table ${schema}.job_wait (
  job_id uuid not null,
  name text not null,
  kind text not null,
  seq integer not null,
  fence bigint not null,
  since timestamptz not null,
  until timestamptz,
  child_id uuid,
  event text,
  filter jsonb,
  emitted_from timestamptz,
  ended_at timestamptz,
  event_id uuid,
  value jsonb,
  constraint job_wait_pk primary key (job_id, name),
  constraint job_wait_kind_ck check (kind in ('sleep', 'child', 'event')),
  constraint job_wait_child_ck check ((kind = 'child') = (child_id is not null)),
  constraint job_wait_event_ck check (
    (kind = 'event') = (event is not null and filter is not null and emitted_from is not null)
  ),
  constraint job_wait_match_ck check (event_id is null or (kind = 'event' and ended_at is not null))
);
create index job_wait_event_idx on ${schema}.job_wait (event) where kind = 'event' and ended_at is null;
comment on table ${schema}.job_wait is 'What suspended jobs wait for, and have waited for.';
comment on column ${schema}.job_wait.fence is 'That of the attempt that was suspended. The waits in force are those with the fence of the run.';
comment on column ${schema}.job_wait.emitted_from is 'Events emitted before do not count; the time the job was accepted.';
comment on column ${schema}.job_wait.until is 'When the wait is over at the latest; null for no limit.';
comment on column ${schema}.job_wait.ended_at is 'When an event matched or time ran out, whichever was first; not kept for sleeps and for children that ended.';
comment on column ${schema}.job_wait.event_id is 'The event that matched; null if time ran out.';
--rollback drop table ${schema}.job_wait;
--rollback drop table ${schema}.checkpoint;

--changeset workhorse:job-progress
--comment The latest progress of jobs whose handlers tell it.
create table ${schema}.job_progress (
  job_id uuid not null,
  fence bigint not null,
  value jsonb not null,
  stored_at timestamptz not null,
  constraint job_progress_pk primary key (job_id)
) with (fillfactor = 50);
comment on table ${schema}.job_progress is 'The latest progress of jobs whose handlers tell it.';
--rollback drop table ${schema}.job_progress;

--changeset workhorse:follow-up
--comment What is to be done for jobs soon, by any node, because whoever found out must not wait for a locked row.
create table ${schema}.follow_up (
  id bigint generated always as identity,
  job_id uuid not null,
  kind text not null,
  constraint follow_up_pk primary key (id),
  constraint follow_up_kind_ck check (kind in ('wake', 'cancel-children'))
) with (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0
);
comment on table ${schema}.follow_up is 'Jobs to look at: those that may have nothing left to wait for, and those whose children are to be cancelled.';
--rollback drop table ${schema}.follow_up;

--changeset workhorse:worker
--comment The nodes that run jobs, each with one row that its heartbeat renews.
create table ${schema}.worker (
  id uuid not null,
  name text not null,
  queues text[] not null,
  types text[] not null,
  slots integer not null,
  started_at timestamptz not null,
  alive_until timestamptz not null,
  constraint worker_pk primary key (id)
) with (fillfactor = 50);
comment on table ${schema}.worker is 'Nodes that run jobs. A node whose alive_until has passed is gone.';
--rollback drop table ${schema}.worker;

--changeset workhorse:queue-control
--comment What people have said about queues. A queue without a row is not paused.
create table ${schema}.queue_control (
  queue text not null,
  paused_at timestamptz not null,
  paused_by text not null,
  reason text not null,
  constraint queue_control_pk primary key (queue)
);
comment on table ${schema}.queue_control is 'Paused queues: none of their jobs is claimed until they are resumed.';
--rollback drop table ${schema}.queue_control;

--changeset workhorse:queue-rate
--comment The token bucket of each queue whose starts are limited.
create table ${schema}.queue_rate (
  queue text not null,
  tokens double precision not null,
  refilled_at timestamptz not null,
  constraint queue_rate_pk primary key (queue)
) with (fillfactor = 50);
comment on table ${schema}.queue_rate is 'How many jobs of a rate-limited queue may start, as of a time.';
--rollback drop table ${schema}.queue_rate;

--changeset workhorse:event
--comment What was emitted, until every subscriber has its job, and for as long as its key is remembered after that.
create table ${schema}.event (
  id uuid not null,
  name text not null,
  payload jsonb not null,
  emitted_at timestamptz not null,
  key_hash bytea,
  key_preview text,
  key_length smallint,
  dispatched_to text,
  dispatched_at timestamptz,
  trace_context jsonb,
  constraint event_pk primary key (id),
  constraint event_key_ck check (
    key_hash is null
    or (octet_length(key_hash) = 32 and key_preview is not null and key_length is not null)
  )
);
create unique index event_key_hash_uq on ${schema}.event (key_hash) where key_hash is not null;
create index event_pending_idx on ${schema}.event (emitted_at) where dispatched_at is null;
create index event_dispatched_idx on ${schema}.event (dispatched_at) where dispatched_at is not null;
comment on table ${schema}.event is 'Emitted events: pending while dispatched_at is null, then kept for the sake of their keys.';
comment on column ${schema}.event.key_hash is 'Hash over space, event name and dedupe key; null without a key.';
comment on column ${schema}.event.dispatched_to is 'The last subscriber, by type, that was looked at; null before the first.';
comment on column ${schema}.event.trace_context is 'The trace it was emitted in, passed on to its jobs; null for none.';
--rollback drop table ${schema}.event;

--changeset workhorse:subscription
--comment Who gets a job for which event. Written by the application that declares the handler, ended by people.
create table ${schema}.subscription (
  event text not null,
  type text not null,
  queue text not null,
  filter jsonb,
  payload_fields text[],
  max_attempts smallint not null,
  retry_policy text not null,
  declared_at timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  constraint subscription_pk primary key (event, type),
  constraint subscription_max_attempts_ck check (max_attempts between 1 and 100),
  constraint subscription_filter_ck check (jsonb_typeof(filter) = 'object'),
  constraint subscription_end_ck check (
    (ended_at is null) = (ended_by is null) and (ended_at is null) = (end_reason is null)
  )
);
comment on table ${schema}.subscription is 'Job types that subscribe to events: each event becomes one job of each.';
comment on column ${schema}.subscription.filter is 'JSON pointers and the values the payload must have there; null for every event.';
comment on column ${schema}.subscription.payload_fields is 'The members of the payload that are passed on; null for the whole payload.';
comment on column ${schema}.subscription.declared_at is 'When it was first declared as it is now.';
--rollback drop table ${schema}.subscription;

--changeset workhorse:matches splitStatements:false
--comment Whether a payload has all the values of a filter, by JSON pointer. The one place that says what a match is.
create function ${schema}.matches(payload jsonb, filter jsonb) returns boolean
language sql immutable
as '
select not exists (
  select
  from jsonb_each(filter) as wanted
  where wanted.value is distinct from payload #> array(
    select replace(replace(part, ''~1'', ''/''), ''~0'', ''~'')
    from unnest(string_to_array(substr(wanted.key, 2), ''/'')) with ordinality as pointer (part, ord)
    order by ord
  )
)';
--rollback drop function ${schema}.matches(jsonb, jsonb);

--changeset workhorse:event-name-idx
--comment Finds the events that a suspended job may have waited for.
create index event_name_idx on ${schema}.event (name, emitted_at);
--rollback drop index ${schema}.event_name_idx;
--changeset workhorse:job-statistics
--comment Counts over all jobs, taken by one node for all of them.
create table ${schema}.job_statistics (
  id smallint not null,
  taken_at timestamptz not null,
  content jsonb not null,
  constraint job_statistics_pk primary key (id),
  constraint job_statistics_one_ck check (id = 1)
) with (fillfactor = 50);
comment on table ${schema}.job_statistics is 'The latest counts for the meters, one row.';
--rollback drop table ${schema}.job_statistics;

--changeset workhorse:schema-version splitStatements:false runOnChange:true
--comment Lets a node tell whether the schema is the one it works with, whoever applied it.
create or replace function ${schema}.schema_version() returns integer
language sql immutable
as 'select 1';
--rollback drop function ${schema}.schema_version();
