-- Puts counts in the place of those before. Locks the only row. Index: job_statistics_pk.
insert into workhorse.job_statistics (id, taken_at, content)
values (1, workhorse.clock(), cast(:content as jsonb))
on conflict (id) do update
set taken_at = excluded.taken_at,
    content = excluded.content
returning content, taken_at, true as fresh
