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
  constraint job_pk primary key (id),
  constraint job_priority_ck check (priority between 0 and 100),
  constraint job_max_attempts_ck check (max_attempts between 1 and 100),
  constraint job_key_mode_ck check (key_mode in ('idempotency', 'debounce', 'throttle')),
  constraint job_key_ck check (
    key_hash is null
    or (
      octet_length(key_hash) = 32 and key_mode is not null and key_scope is not null and key_preview is not null
      and key_fingerprint is not null and key_window_ms is not null and key_expires_at is not null
    )
  )
);
create unique index job_key_hash_uq on ${schema}.job (key_hash) where key_hash is not null;
create index job_key_expires_idx on ${schema}.job (key_expires_at) where key_hash is not null;
comment on table ${schema}.job is 'Accepted jobs, each with the key it holds: a key is live while key_hash is set and key_expires_at lies ahead.';
comment on column ${schema}.job.run_at is 'The time the caller asked for; null for at once.';
comment on column ${schema}.job.explicit_options is 'The options the caller gave; the others were resolved from defaults.';
comment on column ${schema}.job.redrive_of is 'The dead letter this job runs again; null for a job that was enqueued.';
comment on column ${schema}.job.trace_context is 'The trace the request belongs to, such as its traceparent; null for none.';
comment on column ${schema}.job.replacements is 'How often a debounced request took the place of the one before.';
comment on column ${schema}.job.key_hash is 'Hash over space, scope and key; null once the key was released or taken over.';
comment on column ${schema}.job.key_window_ms is 'The ttl of an idempotency key, or the window of a debounced or throttled one, in milliseconds.';
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
  constraint job_run_pk primary key (job_id),
  constraint job_run_state_ck check (state in ('scheduled', 'ready', 'running')),
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
create index job_run_scheduled_idx on ${schema}.job_run (run_at) where state = 'scheduled';
create index job_run_running_idx on ${schema}.job_run (worker) where state = 'running';
create index job_run_group_idx on ${schema}.job_run (queue, concurrency_key)
  where state = 'running' and concurrency_key is not null;
comment on table ${schema}.job_run is 'Live jobs: scheduled, ready or running. A job has either a row here or one in job_outcome.';
comment on column ${schema}.job_run.attempt is 'How many attempts have started.';
comment on column ${schema}.job_run.fence is 'Raised by every claim and recovery; a write that carries an older one is refused.';
comment on column ${schema}.job_run.cancel_request is 'Who asked for a running job to be cancelled, and why; null for nobody.';
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
  constraint job_outcome_pk primary key (job_id),
  constraint job_outcome_state_ck check (state in ('succeeded', 'failed', 'cancelled'))
);
create index job_outcome_finished_idx on ${schema}.job_outcome (state, finished_at);
comment on table ${schema}.job_outcome is 'Finished jobs. The failed ones are the dead letters.';
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
    'redriven', 'run-now'
  ))
);
create index job_event_purged_idx on ${schema}.job_event (at) where kind = 'purged';
comment on table ${schema}.job_event is 'Errors of attempts, expired leases, releases and what people did, in order. The note that a job was purged outlives it.';
--rollback drop table ${schema}.job_event;

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
