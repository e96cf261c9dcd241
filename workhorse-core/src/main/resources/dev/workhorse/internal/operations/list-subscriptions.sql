-- Lists who subscribes to what, ended subscriptions too. Locks nothing. Index: subscription_pk, for the order.
select event, type, queue, filter, payload_fields, declared_at, ended_at, ended_by, end_reason
from workhorse.subscription
order by event, type
