-- Finds the jobs that hold a key of a scope whose hash begins with a digest. Locks nothing. Index: job_key_hash_uq.
select id
from workhorse.job
where key_hash between decode(rpad(:digest, 64, '0'), 'hex') and decode(rpad(:digest, 64, 'f'), 'hex')
  and key_scope = :scope
limit 2
