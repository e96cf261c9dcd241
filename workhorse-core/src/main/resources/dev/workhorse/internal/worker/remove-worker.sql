-- Takes a node off the list when it stops, along with those that died long ago. Index: worker_pk; the table is small.
delete from workhorse.worker
where id = :id
  or alive_until < (select workhorse.clock()) - interval '1 day'
