-- Lists held keys, the latest job first. Locks nothing. Index: job_pk, whose ids are in order of time.
select id, key_scope, key_preview, key_hash, key_mode, key_expires_at
from workhorse.job
where key_hash is not null
  and (key_expires_at is null or key_expires_at > (select workhorse.clock()))
order by id desc
limit :most
