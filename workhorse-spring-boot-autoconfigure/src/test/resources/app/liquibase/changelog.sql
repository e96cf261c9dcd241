--liquibase formatted sql

--changeset application:app
create table app_table (id integer primary key);
insert into app_table values (1);
