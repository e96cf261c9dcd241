-- Reads the counts that some node took last. Locks nothing; the table has one row at the most.
select content, taken_at, taken_at > workhorse.clock() - make_interval(secs => :max_age_ms / 1000.0) as fresh
from workhorse.job_statistics
