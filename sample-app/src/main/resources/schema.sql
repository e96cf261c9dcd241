-- The shop's own tables. Workhorse keeps its jobs and keys in the schema "workhorse" of the same database,
-- which is what lets a row here and a job there commit together.

create table if not exists orders (
  order_id text primary key,
  customer text not null,
  amount numeric(12, 2) not null,
  placed_at timestamptz not null default now(),
  captured_at timestamptz
);

create table if not exists captures (
  job_id uuid not null,
  order_id text not null references orders,
  amount numeric(12, 2) not null,
  captured_at timestamptz not null default now()
);

-- One row for each time a delivery was handled. There is deliberately no unique constraint: a delivery that was
-- handled twice would show.
create table if not exists handled_deliveries (
  job_id uuid not null,
  event text not null,
  repository text,
  handled_at timestamptz not null default now()
);

-- What was done to fulfil an order. The key makes each step safe to repeat.
create table if not exists fulfilment_steps (
  order_id text not null,
  step text not null,
  job_id uuid not null,
  done_at timestamptz not null default clock_timestamp(),
  primary key (order_id, step)
);

create table if not exists payments (
  order_id text primary key,
  amount numeric(12, 2) not null,
  paid_at timestamptz not null default now()
);

-- What the subscribers of order.paid have done.
create table if not exists payment_effects (
  what text not null,
  order_id text not null,
  event_id uuid not null,
  job_id uuid not null
);

-- What the handlers of changes have done, one row for each time.
create table if not exists updates_done (
  what text not null,
  subject text not null,
  value text not null,
  job_id uuid not null,
  done_at timestamptz not null default now()
);
