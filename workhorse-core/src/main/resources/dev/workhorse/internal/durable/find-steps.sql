-- Reads what the handler of a job has done before: its checkpoints, waits and children, in the order they were first
-- reached. Locks nothing. Indexes: checkpoint_pk, job_wait_pk.
select
  case when child_id is null then 'checkpoint' else 'child' end as kind,
  name, seq, cast(value as text) as value, child_id,
  cast(null as timestamptz) as until, false as due, false as ended, cast(null as uuid) as event_id
from workhorse.checkpoint
where job_id = :job_id
union all
select
  case kind when 'child' then 'child-wait' else kind end, name, seq, cast(value as text), child_id,
  until, coalesce(until <= (select workhorse.clock()), false), ended_at is not null, event_id
from workhorse.job_wait
where job_id = :job_id
order by seq
