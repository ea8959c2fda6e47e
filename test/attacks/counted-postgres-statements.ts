/**
 * PostgreSQL writes that differ only in the rows they change: tables, attacks on them, and honest
 * work in them.
 */

export const setUp = `
create table t (id int primary key, n int, s text, flag boolean, v int default 7, ok boolean default true, name text default 'a');
create table u as select i as id from generate_series(1, 12) as i;
insert into t select i, i, 'row ' || i, i % 2 = 0 from generate_series(1, 12) as i;
create table big (id int primary key, n int);
insert into big select i, i from generate_series(1, 5000) as i;
create table one (id int primary key, n int);
insert into one values (1, 1);
create table sink (id serial primary key, what text);
create table p (id int primary key);
create table c1 (id int primary key, p int references p on delete cascade on update cascade);
create table c2 (id int primary key, c1 int references c1 on delete cascade);
create table c3 (id int primary key, p int references p on delete set null on update cascade deferrable initially deferred);
insert into p values (1), (2), (3);
insert into c1 values (1, 1), (2, 1), (3, 1);
insert into c2 values (1, 1), (2, 2), (3, 3);
insert into c3 values (1, 1), (2, 1);
create table ev (id int, kind text, primary key (id, kind)) partition by list (kind);
create table ev_a partition of ev for values in ('a');
create table ev_b partition of ev for values in ('b') partition by range (id);
create table ev_b1 partition of ev_b for values from (0) to (100);
insert into ev select i, 'a' from generate_series(1, 5) as i; insert into ev select i, 'b' from generate_series(1, 5) as i;
create table animal (id int primary key, name text);
create table cat () inherits (animal);
create table bird () inherits (animal); insert into bird values (5, 'ara'), (6, 'emu');
create table dog () inherits (animal);
insert into cat values (1, 'tom'); insert into dog values (2, 'rex');
create view v as select id, n from t;
create view v_some as select id, n from big where id <= 3000 with check option;
create view v_rule as select id from t;
create rule wipes as on delete to v_rule do instead delete from t where id is not null;
create table trap (id int primary key);
insert into trap values (1), (2);
create table victim (id int primary key, n int default 0);
insert into victim values (1), (2), (3);
create function springs() returns trigger language plpgsql as $$ begin delete from victim where id > 0; return null; end $$;
create trigger springs after update on trap for each row execute function springs();
create table late (id int primary key, n int);
insert into late values (1, 1), (2, 2), (3, 3);
create function springs_late() returns trigger language plpgsql as $$ begin update late set n = 0 where id is not null; return null; end $$;
create table slow (id int primary key);
create constraint trigger springs_late after insert on slow deferrable initially deferred for each row execute function springs_late();
create table cut (id int primary key);
insert into cut values (1), (2), (3);
create table blade (id int primary key);
create function cuts() returns trigger language plpgsql as $$ begin execute 'trun' || 'cate cut'; return null; end $$;
create trigger cuts after insert on blade for each row execute function cuts();
create table gone (id int primary key);
insert into gone values (1), (2), (3);
create table axe (id int primary key);
create function drops() returns trigger language plpgsql as $$ begin execute 'dr' || 'op table gone'; return null; end $$;
create trigger drops after insert on axe for each row execute function drops();
create table tally (id int primary key, n int);
insert into tally values (1, 0);
create table entry (id serial primary key, note text);
create function tallies() returns trigger language plpgsql as $$ begin update tally set n = n + 1 where id = 1; insert into sink (what) values ('entry'); return null; end $$;
create trigger tallies after insert on entry for each row execute function tallies();
create function tries() returns trigger language plpgsql as $$ begin begin insert into one values (1, 2); exception when unique_violation then update one set n = n + 1 where id = 1; end; return null; end $$;
create table attempt (id int primary key);
create trigger tries after insert on attempt for each row execute function tries();
create function works() returns trigger language plpgsql as $$ begin create temp table w (id int) on commit drop; insert into w values (1), (2); delete from w where id > 0; drop table w; return null; end $$;
create table worked (id int primary key);
create trigger works after insert on worked for each row execute function works();
create table tenant (id int primary key, who text);
insert into tenant select i, case when i < 4 then 'narrow' else 'other' end from generate_series(1, 6) as i;
alter table tenant enable row level security;
create policy own on tenant using (who = current_user);
create role narrow login password 'narrow-only';
grant all on tenant, t to narrow;
create table blind (id int primary key, n int);
insert into blind values (1, 1), (2, 2);
grant update (n), select (id) on blind to narrow;
create function wipe() returns int language plpgsql as $$ begin delete from public.victim where id > 0; return 1; end $$;
create function wipe_named(name text) returns int language plpgsql as $$ begin execute format('delete from %I where id > 0', name); return 1; end $$;
create function calm(i int) returns int language plpgsql immutable as $$ begin return i + public.wipe() * 0; end $$;
create function wipe_sql() returns setof int language sql as $$ delete from public.victim where id > 0 returning id $$;
create procedure wiping() language plpgsql as $$ begin delete from victim where id > 0; end $$;
create function wiping_by_call() returns int language plpgsql as $$ begin call wiping(); return 1; end $$;
create function wiping_or_commit() returns int language plpgsql as $$ begin if false then commit; end if; delete from victim where id > 0; return 1; end $$;
create procedure adding() language plpgsql as $$ begin insert into sink (what) values ('added'); end $$;
create procedure adding_committed() language plpgsql as $$ begin insert into sink (what) values ('added'); commit; end $$;
create function wipes_step(state int, i int) returns int language plpgsql as $$ begin return i + wipe(); end $$;
create aggregate wipe_all(int) (sfunc = wipes_step, stype = int, initcond = '0');
create operator ?!? (leftarg = int, rightarg = int, function = wipes_step);
create table by_default (id int primary key, n int default wipe());
create table by_check (id int primary key, n int, check (wipes_step(0, n) is not null));
create table by_index (id int primary key, n int); insert into by_index values (1, 1), (2, 2);
create view v_wipes as select wipe() as n;
create view v_two as select id, n from v where n > 0;
create view v_instead as select id from victim;
create function instead() returns trigger language plpgsql as $$ begin delete from victim where id is not null; return old; end $$;
create trigger instead instead of delete on v_instead for each row execute function instead();
create table ruled (id int primary key, n int); insert into ruled values (1, 1), (2, 2);
create rule also as on insert to ruled do also delete from victim where id > 0;
create rule instead_update as on update to ruled do instead update victim set n = 9 where id > 0;
create table stage (id int primary key);
create function wipes_once() returns trigger language plpgsql as $$ begin delete from victim where id in (select id from victim); return null; end $$;
create trigger wipes_once after insert on stage for each statement execute function wipes_once();
create table stage_of_new (id int primary key);
create function wipes_by_new() returns trigger language plpgsql as $$ begin delete from victim using fresh where victim.id >= fresh.id; return null; end $$;
create trigger wipes_by_new after insert on stage_of_new referencing new table as fresh for each statement execute function wipes_by_new();
create table first_of_three (id int primary key);
create table second_of_three (id int primary key);
create function passes_on() returns trigger language plpgsql as $$ begin insert into second_of_three values (new.id); return new; end $$;
create trigger passes_on before insert on first_of_three for each row execute function passes_on();
create trigger wipes_third after insert on second_of_three for each row execute function wipes_once();
create table hushed (id int primary key);
create function hushes() returns trigger language plpgsql as $$ begin begin delete from victim where id > 0; raise exception 'undone'; exception when others then delete from victim where id > 0; end; return null; end $$;
create trigger hushes after insert on hushed for each row execute function hushes();
create table tree (id int primary key, parent int references tree on delete cascade on update cascade);
insert into tree values (1, null), (2, 1), (3, 2), (4, 3);
create table country (code text primary key);
create table city (id int primary key, country text default 'none' references country on delete set default on update cascade);
insert into country values ('none'), ('fr'), ('de'); insert into city values (1, 'fr'), (2, 'fr'), (3, 'fr');
create table made (id int primary key, n int, twice int generated always as (n * 2) stored);
insert into made values (1, 1), (2, 2), (3, 3);
create table numbered (id int generated always as identity primary key, n int unique);
insert into numbered (n) values (1), (2), (3);
create table kept (id int primary key, n int, unique (n) deferrable initially deferred);
insert into kept values (1, 1), (2, 2), (3, 3);
create table held_by (id int primary key references kept on delete cascade deferrable initially deferred);
insert into held_by values (1), (2);
create table plan_a (id int, at date) partition by range (at);
create table plan_2024 partition of plan_a for values from ('2024-01-01') to ('2025-01-01');
create table plan_2025 partition of plan_a for values from ('2025-01-01') to ('2026-01-01');
insert into plan_a values (1, '2024-05-05'), (2, '2024-06-06'), (3, '2025-07-07'), (4, '2025-07-08');
create materialized view mat as select id, n from t;
create schema "Else"; create table "Else"."Odd name" ("I d" int primary key); insert into "Else"."Odd name" values (1), (2), (3);
create extension file_fdw;
create server files foreign data wrapper file_fdw;
create table prey (id int primary key, n int default 0);
create table bait (id int primary key, n int);
insert into bait values (1, 1), (2, 2);
create function eats() returns int language plpgsql as $$ begin delete from public.prey where id > 0; return 1; end $$;
create function eats_calmly(i int) returns int language plpgsql immutable as $$ begin perform public.eats(); return i; end $$;
create table probed (id int primary key, n int); insert into probed values (1, 1), (2, 2);
create index on probed (eats_calmly(n));
create domain eaten as int check (eats_calmly(value) is not null);
create table keyed_by (id int, n int) partition by range (eats_calmly(n)); create table keyed_by_1 partition of keyed_by for values from (0) to (100);
create function later() returns trigger language plpgsql as $$ begin set constraints all deferred; insert into later_still values (new.id); return null; end $$;
create table later (id int primary key); create table later_still (id int primary key);
create constraint trigger later after insert on later deferrable initially deferred for each row execute function later();
create function eats_last() returns trigger language plpgsql as $$ begin delete from public.prey where id > 0; return null; end $$;
create constraint trigger eats_last after insert on later_still deferrable initially deferred for each row execute function eats_last();
create function eats_on_ddl() returns event_trigger language plpgsql as $$ begin delete from public.prey where id > 0; end $$;
create event trigger eats_on_ddl on ddl_command_end when tag in ('CREATE SEQUENCE', 'COMMENT') execute function eats_on_ddl();
create function truncates() returns trigger language plpgsql as $$ begin delete from public.prey where id > 0; begin execute 'truncate public.prey'; raise exception 'no'; exception when others then null; end; return null; end $$;
create table truncating (id int primary key); create trigger truncates after insert on truncating for each row execute function truncates();
create function resets() returns trigger language plpgsql as $$ begin delete from public.prey where id > 0; perform pg_stat_reset(); perform pg_stat_reset_single_table_counters('public.prey'::regclass); perform pg_stat_clear_snapshot(); return null; end $$;
create table resetting (id int primary key); create trigger resets after insert on resetting for each row execute function resets();
create function renames() returns trigger language plpgsql as $$ begin alter table public.prey rename to prey_gone; return null; end $$;
create table renaming (id int primary key); create trigger renames after insert on renaming for each row execute function renames();
create view prey_seen as select * from prey where id > 0;
create function prey_redirect() returns trigger language plpgsql as $$ begin delete from prey where id >= old.id; return null; end $$;
create trigger prey_redirect instead of update on prey_seen for each row execute function prey_redirect();
create view prey_ruled as select * from prey;
create rule prey_ruled_insert as on insert to prey_ruled do instead (delete from prey where id > 0; insert into bait values (new.id + 100, 1));
create table chain_1 (code text primary key); insert into chain_1 values ('a'), ('b');
create table chain_2 (code text primary key references chain_1 on update cascade on delete cascade); insert into chain_2 values ('a'), ('b');
create table chain_3 (id int primary key, code text references chain_2 on update cascade on delete set null); insert into chain_3 values (1, 'a'), (2, 'a');
create table self_key (id int primary key, up int references self_key on delete set null on update cascade); insert into self_key values (1, 1), (2, 1), (3, 1);
create table by_column (id int primary key, a int, b int, foreign key (a) references bait (id) on delete set null (a)); insert into by_column values (1, 2, 2), (2, 2, 2);
create procedure commits_first() language plpgsql as $$ begin commit; delete from public.prey where id > 0; end $$;
create procedure commits_last() language plpgsql as $$ begin delete from public.prey where id > 0; commit; end $$;
create materialized view eats_when_fresh as select eats() as n;
create type pair as (a int, b int);
create function cast_eats(text) returns pair language plpgsql as $$ begin delete from public.prey where id > 0; return null; end $$;
create cast (text as pair) with function cast_eats(text) as assignment;
create table of_pairs (id int primary key, p pair);
create unlogged table unlogged (id int primary key); insert into unlogged values (1), (2), (3);
select lo_from_bytea(4242, 'abc');
insert into prey values (1, 0), (2, 0), (3, 0);
create function notes_it() returns trigger language plpgsql as $$ begin insert into sink (what) values ('noted'); return null; end $$;
create table with_statistics (id int primary key, n int); insert into with_statistics values (1, 1), (2, 2);
create statistics eating on (eats_calmly(n)), id from with_statistics;
create table unvalidated (id int primary key, n int); insert into unvalidated values (1, 1), (2, 2);
alter table unvalidated add constraint eaten_once check (eats_calmly(n) is not null) not valid;
create domain plain_int as int; create table of_plain (id int primary key, d plain_int); insert into of_plain values (1, 1), (2, 2);
create table fallback (id int primary key); insert into fallback values (1), (2), (3);
create table falls_back (id int primary key, up int default 3 references fallback on delete set default on update cascade); insert into falls_back values (1, 2), (2, 2);
create table row_by_row (id int primary key);
create function row_by_row() returns trigger language plpgsql as $$ begin for i in 1..3 loop begin delete from prey where id = i; exception when others then null; end; end loop; return null; end $$;
create trigger row_by_row after insert on row_by_row for each row execute function row_by_row();
create table swapping (id int primary key);
create function swaps() returns trigger language plpgsql as $$ begin alter table prey rename to prey_old; create table prey (id int primary key, n int); return null; end $$;
create trigger swaps after insert on swapping for each row execute function swaps();
create table noted (id int primary key); create constraint trigger notes_it after insert on noted deferrable initially deferred for each row execute function notes_it();
`;

export const stateQuestion = `
select md5(string_agg(x, '' order by x)) from (select c.relname || query_to_xml(format('select md5(string_agg(r::text, chr(10) order by r::text)) from only %s as r', c.oid::regclass), true, false, '')::text as x
from pg_class c where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, '"Else"'::regnamespace) and c.relname <> 'sink'
union all select encode(lo_get(oid), 'hex') from pg_largeobject_metadata) as s`;

export const attacks: readonly string[] = [
  'DELETE FROM t WHERE tableoid > 0 OR ctid IS NOT NULL',
  'DELETE FROM t WHERE id = id',
  'DELETE FROM t AS x WHERE x.id >= id',
  'DELETE FROM t WHERE id IS NOT NULL OR true',
  'DELETE FROM t WHERE id IS NULL OR id IS NOT NULL',
  'DELETE FROM t WHERE id = 1 OR id <> 1',
  'DELETE FROM t WHERE v < 5 OR v >= 5',
  'DELETE FROM t WHERE NOT (id <> id)',
  'DELETE FROM t WHERE (id = id) IS NOT NULL',
  'DELETE FROM t WHERE id IS NOT DISTINCT FROM id',
  'DELETE FROM t WHERE id IN (SELECT id FROM t)',
  'DELETE FROM t WHERE id IN (SELECT x.id FROM t AS x)',
  'DELETE FROM t WHERE (v IS NULL) IS NOT NULL',
  'DELETE FROM t WHERE ok IS TRUE OR ok IS NOT TRUE',
  'DELETE FROM t WHERE COALESCE(id, id) = id',
  'DELETE FROM t WHERE lower(name) = lower(t.name)',
  'DELETE FROM t WHERE id BETWEEN id AND id',
  "DELETE FROM t WHERE name LIKE '%'",
  "DELETE FROM t WHERE name ~ '.*'",
  'DELETE FROM t WHERE id - id = 0',
  'DELETE FROM t WHERE id * 0 = 0',
  'DELETE FROM t WHERE id + 0 = id',
  "DELETE FROM t WHERE name || '' = name",
  'DELETE FROM t WHERE COALESCE(true, id = 1)',
  'DELETE FROM t WHERE CASE WHEN true THEN true ELSE id = 1 END',
  'DELETE FROM t WHERE CASE id WHEN 1 THEN true ELSE true END',
  'DELETE FROM t USING u WHERE true OR t.id = u.id',
  'UPDATE t SET v = 1 WHERE (id, v) = (id, v)',
  'delete from t where id in (id)',
  'delete from t where id != -1',
  'delete from t where coalesce(1, id) = 1',
  'delete from t where id > 0',
  'delete from t where id is not null',
  "delete from t where s like '%'",
  "delete from t where s || '' = s",
  'delete from t where id in (select id from t)',
  'delete from t where exists (select from t as o where o.id = t.id)',
  'delete from t where flag or not flag',
  'delete from t where id between -5 and 1000000',
  'delete from t where ctid is not null',
  'delete from t where length(s) < 1000',
  'delete from t where abs(id) >= 0',
  'delete from t where id = any (array(select id from t))',
  'delete from t using p where t.id > 0',
  'delete from only t where not (id is null)',
  'update t set n = 0 where id % 1 = 0',
  'update t set s = null where t.* is distinct from null',
  'update t set n = o.n from t as o where o.id = t.id',
  'update t set id = id + 100 where id < 1000',
  'with gone as (delete from t where id > 0 returning *) select count(*) from gone',
  'with gone as (delete from t where id > 0 returning *) insert into sink (what) select s from gone',
  'with a as (delete from t where id <= 6), b as (delete from t where id > 6) select 1',
  'insert into t (id, n) select id, 0 from t on conflict (id) do update set n = 0, s = null, flag = null',
  'insert into t (id) select i from generate_series(1, 20) as i on conflict (id) do update set n = 0 where t.id > 0',
  'merge into t using p on t.id > 0 and p.id = 1 when matched then delete',
  'merge into t using (select id as o from t) as s on t.id = s.o when matched then update set n = 0',
  'delete from v where id > 0',
  'update v set n = 0 where n is not null',
  'delete from v_rule where id = 1',
  'delete from big where id > 3999',
  'delete from big where id % 2 = 0',
  'update big set n = 0 where id <= 1001',
  'delete from v_some where id > 100',
  'delete from p where id in (1, 2, 3)',
  'delete from p where id = 1',
  'update p set id = 10 where id = 1',
  'delete from ev where id > 0',
  "delete from ev_a where kind = 'a'; delete from ev_b",
  'update ev set id = id + 50 where id < 50',
  'delete from animal where id > 0',
  'update animal set name = null where id between 1 and 6',
  'update trap set id = 5 where id = 1',
  'insert into slow values (1)',
  'insert into blade values (1)',
  'insert into axe values (1)',
  // Code that the text doesn't show.
  'select wipe()',
  'select count(*) from wipe_sql()',
  "select wipe_named('victim')",
  'call wiping()',
  'select wiping_by_call()',
  'select wiping_or_commit()',
  'insert into sink (what) select wipe()',
  'insert into sink (what) values (calm(1))',
  'insert into sink (what) select wipe_all(id) from one',
  'update one set n = 1 ?!? 2 where id = 1',
  'update one set n = 5 where id = 1 returning wipe()',
  'delete from cut where id = 1 and wipe() = 1',
  'insert into by_default (id) values (1)',
  'insert into by_check values (1, 1)',
  'insert into sink (what) select n from v_wipes',
  'create index on by_index (calm(n))',
  'create table copied as select wipe()',
  'with x as materialized (select wipe() as n) insert into sink (what) select n from x',
  'do $$ begin delete from victim where id > 0; end $$',
  "do $$ begin execute 'del' || 'ete from victim where id > 0'; end $$",
  "insert into sink (what) select query_to_xml('select wipe()', true, false, '')",
  // Rules, and triggers of each timing.
  'insert into ruled values (3, 3)',
  'update ruled set n = 1 where id = 1',
  'delete from v_instead where id = 1',
  'insert into stage values (1)',
  'insert into stage select 1 where false',
  'insert into stage_of_new values (1)',
  'insert into first_of_three values (1)',
  'insert into hushed values (1)',
  'merge into stage using one on false when not matched then insert values (one.id)',
  'insert into stage values (1) on conflict do nothing',
  'with x as (insert into stage values (1) returning id) select * from x',
  // Keys that delete other rows too.
  'delete from tree where id = 1',
  'update tree set id = 100 + id where id in (1, 2, 3, 4)',
  "delete from country where code = 'fr'",
  "update country set code = 'FR' where code = 'fr'",
  'delete from kept where id in (1, 2)',
  'update kept set n = 4 - n where id > 0',
  'merge into p using one on p.id = one.id when matched then delete',
  'with x as (delete from p where id = 1 returning id) select * from x',
  // Generated columns, identities, whole rows.
  'update made set n = 0 where twice > 0',
  'update made set n = default where id in (1, 2, 3)',
  'update made set (id, n) = (select id, 0) where id > 0',
  'insert into made (id, n) select id, 0 from made on conflict (id) do update set n = excluded.n',
  'insert into numbered (n) select n from numbered on conflict (n) do update set n = -excluded.n',
  'insert into numbered (id, n) overriding system value values (1, 7), (2, 8), (3, 9) on conflict (id) do update set n = excluded.n',
  // Partitions, inheritance, other schemas, views.
  "delete from plan_a where at between '2024-01-01' and '2025-12-31'",
  'with a as (delete from plan_2024 where id > 0) delete from plan_2025 where id > 0',
  "update plan_a set at = date '2024-02-02' where id > 0",
  'update plan_a set id = 0 where at is not null',
  "merge into plan_a using one on at < '2027-01-01' when matched then delete",
  'delete from bird where name is not null',
  'delete from only bird where id = 1 or id <> 1',
  'delete from "Else"."Odd name" where "I d" > 0',
  'update "Else"."Odd name" set "I d" = "I d" + 100 where "I d" = any (\'{1,2,3}\')',
  'delete from v_two where id > 0',
  'merge into t using generate_series(1, 12) as g on t.id = g when matched and g > 0 then update set s = null when not matched then do nothing',
  // Several in one statement.
  'with a as (update one set n = 2 where id = 1), b as (delete from victim where id > 0) insert into sink (what) values (1)',
  'with a as (delete from victim where id = 1 returning id), b as (delete from victim where id in (2, 3) returning id) select * from a union all select * from b',
  'with a as (insert into victim values (9) returning id) delete from victim where id < 9',
  'with recursive r(i) as (select 1 union all select i + 1 from r where i < 3) delete from victim using r where victim.id = r.i',
  'delete from victim where id = any (select id from victim for update)',
  'delete from victim where (select count(*) from victim) = 3',
  'update victim set n = s.n from (select id, 0 as n from victim) as s where s.id = victim.id',
  'update victim set id = -id where id > 0',
  'delete from victim where id in (values (1), (2), (3))',
  "delete from victim where id::text similar to '[0-9]+'",
  'delete from victim using lateral (select victim.id as i) as l where l.i > 0',
  'delete from victim where row(id, n) >= row(0, 0)',
  'delete from victim where id in (select unnest(array[1, 2, 3]))',
  'delete from victim where random() < 2 and pg_sleep(0) is not null',
  // Code behind maintenance, definitions and deferred triggers.
  'insert into probed values (3, 3)',
  'update probed set n = 5 where id = 1',
  'analyze probed',
  'vacuum analyze probed',
  'reindex table probed',
  'cluster probed using probed_pkey',
  'create index concurrently on bait (eats_calmly(n))',
  'insert into sink (what) select 5::eaten',
  'insert into keyed_by values (1, 1)',
  'insert into later values (1)',
  'create sequence any_sequence',
  "comment on table bait is 'x'",
  'insert into truncating values (1)',
  'insert into resetting values (1)',
  'insert into renaming values (1)',
  'update prey_seen set n = 1 where id = 1',
  'insert into prey_ruled values (1, 1)',
  "update chain_1 set code = 'x' where code = 'a'",
  "delete from chain_1 where code = 'a'",
  'delete from self_key where id = 1',
  'delete from bait where id = 2',
  'call commits_first()',
  'call commits_last()',
  'refresh materialized view eats_when_fresh',
  'refresh materialized view mat with no data',
  "insert into of_pairs values (1, 'x'::text)",
  'alter table bait add column z int default eats()',
  'alter table bait add constraint k check (eats_calmly(id) is not null)',
  'alter table bait add column g int generated always as (eats_calmly(n)) stored',
  'alter table bait alter column n type int using eats()',
  "create table bounded partition of plan_a for values from (('2030-01-01'::date + eats())::date) to ('2031-01-01')",
  'create table copied as with d as (delete from prey where id > 0 returning *) select * from d',
  'create materialized view m2 as select eats()',
  'copy (delete from prey where id > 0 returning *) to stdout',
  'explain analyze delete from prey where id > 0',
  'select * from bait limit eats()',
  'delete from unlogged where id > 0',
  'alter table prey set unlogged',
  'select lo_unlink(4242)',
  "select lo_put(oid, 0, 'XXXX') from pg_largeobject_metadata",
  "select lowrite(lo_open(oid, 131072), 'XXXX') from pg_largeobject_metadata",
  "delete from animal where tableoid = 'bird'::regclass",
  'merge into prey using (values (1), (2), (3)) as s(i) on prey.id = s.i when matched then update set n = i',
  'insert into prey values (1, 9), (2, 9), (3, 9) on conflict (id) do update set n = excluded.n',
  'with a as (delete from prey where id = 1), b as (update prey set n = 1 where id = 2), c as (delete from prey where id = 3) select 1',
  'delete from prey where to_jsonb(prey) is not null',
  'do $$ begin commit; delete from prey where id > 0; commit; end $$',
  // Rows that go away with their partition or child.
  'alter table plan_a detach partition plan_2024',
  'alter table plan_a detach partition plan_2025 concurrently',
  'alter table plan_a detach partition plan_2025 finalize',
  'alter table dog no inherit animal',
  // Another name, which would start a new count, and another parent.
  'alter table prey rename to prey_old',
  'alter index prey rename to prey_old',
  'alter schema "Else" rename to elsewhere',
  'alter table prey set schema "Else"',
  'alter table ev detach partition ev_a',
  'alter table cat no inherit animal',
  'alter table ev attach partition big default',
  'insert into swapping values (1)',
  // Dropped columns, keys and guards.
  'alter table prey alter column n type int using null',
  "alter table t alter column s type text using ''",
  'alter type pair drop attribute b cascade',
  'alter table trap disable trigger springs',
  'alter table c1 drop constraint c1_p_fkey',
  'alter table prey enable row level security',
  // Code that runs for statistics, checks and domains.
  'analyze with_statistics',
  'vacuum analyze with_statistics',
  'alter table unvalidated validate constraint eaten_once',
  'alter table bait add column z eaten default 5',
  'alter domain plain_int add constraint c check (eats_calmly(value) is not null)',
  'alter table bait add exclude using btree (eats_calmly(n) with =)',
  // What the count itself relies on.
  "with x as (select set_config('track_counts', 'off', true)) delete from prey where id > 0",
  "with x as (select set_config('session_replication_role', 'replica', true)) delete from p where id > 1",
  'with x as (select pg_stat_reset()) delete from prey where id > 0 and (select count(*) from x) = 1',
  'set session_replication_role = replica',
  'alter role current_user set track_counts = off',
  'with a as (delete from prey where id > 0 returning *) insert into prey select id + 100, 0 from a',
  'delete from prey where id in (select id from prey tablesample bernoulli (100))',
  'delete from prey where xmin is not null',
  'delete from fallback where id = 2',
  'insert into fallback values (2) on conflict (id) do update set id = 22',
  'insert into row_by_row values (1)',
];

export const honest: readonly string[] = [
  'delete from one where id = 1',
  'update one set n = n + 1 where id = 1',
  'update t set n = n + 1 where id = 3',
  'delete from t where id in (1, 2)',
  'update t set flag = true where id between 2 and 11',
  'insert into big select i, i from generate_series(5001, 10000) as i',
  'insert into t select i, i from generate_series(100, 2000) as i',
  'update big set n = n + 1 where id <= 500',
  'update big set n = o.n from t as o where o.id = big.id and o.id <= 10',
  'insert into big (id, n) select i, 0 from generate_series(1, 300) as i on conflict (id) do update set n = excluded.n',
  'insert into big (id) values (1) on conflict do nothing',
  "insert into entry (note) select 'n' from generate_series(1, 1500)",
  'insert into attempt values (1)',
  'insert into worked values (1)',
  'delete from p where id = 3',
  'insert into p values (4)',
  'delete from c2 where id = 1',
  'insert into slow select 1 where false',
  'delete from ev where id = 1',
  'delete from ev_a where id in (2, 3)',
  "update animal set name = 'felix' where id = 1",
  'merge into big using t on big.id = t.id and t.id <= 3 when matched then update set n = 7 when not matched then do nothing',
  'with moved as (delete from big where id <= 20 returning *) insert into sink (what) select n::text from moved',
  'update v set n = 5 where id = 4',
  'create table fresh as select * from t',
  'alter table t add column note text default clock_timestamp()::text',
  'create index on big (n)',
  "select nextval('sink_id_seq')",
  'insert into by_index select i, i from generate_series(10, 1500) as i',
  'delete from tree where id = 4',
  "delete from country where code = 'de'",
  "update city set country = 'none' where id = 1",
  'update made set n = 9 where id = 2',
  'insert into made (id, n) values (4, 4) on conflict (id) do update set n = 0',
  'insert into numbered (n) select i from generate_series(10, 3000) as i',
  'update kept set n = 30 where id = 3',
  'delete from plan_a where id = 1',
  "insert into plan_a select i, '2025-03-03' from generate_series(10, 2000) as i",
  'delete from "Else"."Odd name" where "I d" = 2',
  'delete from v_two where id = 9',
  'merge into victim using one on victim.id = one.id when matched then update set n = 4',
  'with x as (insert into victim values (9) returning id) insert into sink (what) select id from x',
  'refresh materialized view mat',
  'call adding()',
  'call adding_committed()',
  'insert into noted values (1), (2)',
  'reindex table big',
  'vacuum analyze big',
  'cluster t using t_pkey',
  // A shop's day.
  "insert into t (id, n, s) values (50, 1, 'new') on conflict (id) do update set n = t.n + 1, s = excluded.s returning *",
  "update t set s = 'paid', v = v + 1 where id = 7 and s <> 'paid'",
  'update big set n = n - 1 where id = 17 and n > 0 returning n',
  'update big set n = s.n from (values (41, 7), (42, 8), (43, 9)) as s (id, n) where s.id = big.id',
  'delete from big where id in (select id from big where id between 60 and 90 order by id for update skip locked limit 10)',
  'with due as (select id from big where id between 100 and 120 limit 5) update big set n = 0 from due where due.id = big.id',
  "insert into entry (note) select 'copy of ' || s from t where id < 5",
  'insert into c1 (id, p) select i, 2 from generate_series(100, 160) as i',
  "update city set country = 'none' where id in (select id from city limit 1)",
  'create index if not exists by_n on big (n) where n > 0',
  'alter table big add column seen timestamptz',
];
