-- Refills the token bucket of a queue up to now and tells how many jobs may start. Holds the row until the transaction
-- ends, so that nodes take turns. A new bucket is full. Index: queue_rate_pk.
insert into workhorse.queue_rate as bucket (queue, tokens, refilled_at)
select :queue, :starts, moment.at
from (select workhorse.clock() as at) as moment
on conflict (queue) do update
set tokens = least(
      :starts,
      bucket.tokens
        + :starts * extract(epoch from workhorse.clock() - bucket.refilled_at) * 1000 / :period_ms
    ),
    refilled_at = workhorse.clock()
returning tokens
