/** The tables of the preview suites on PostgreSQL, and how to look at them. */

import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import type { Engine } from '../../../shared/engine.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import type { PreviewWorld } from '../preview-world.ts';
import { endpointOf, eventually, portsOf } from './suite.ts';

export const setUp = `
create table item (id serial primary key, name text unique, price numeric(8,2));
insert into item (name, price) values ('ax', 1.5), ('bow', 2.5), ('cup', null);
create table loose (a int, b text);
insert into loose values (1, 'x'), (2, 'y');
create schema other;
create table other."It em" ("The Key" uuid, part bytea, at timestamptz, n bigint, primary key ("The Key", part, at));
insert into other."It em" values ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '\\x00ff', '2026-01-02 03:04:05.678901+00', 9007199254740993);
create table parent (id int primary key);
create table child (id int primary key, parent int references parent deferrable initially deferred);
insert into parent values (1), (2); insert into child values (1, 1);
create table follower (id int primary key, parent int references parent on delete set null);
insert into follower values (1, 2);
create table log (what text);
create table loud (id int primary key, n int, changed int default 0);
insert into loud values (1, 1), (2, 2);
create function shout() returns trigger language plpgsql as $$ begin new.changed := old.changed + 1; insert into log values ('changed'); return new; end $$;
create trigger shouting before update on loud for each row execute function shout();
create view cheap as select id, name from item where price < 2;
create table ruled (id int primary key);
create rule twice as on insert to ruled do also insert into log values ('rule');
create table whole (id int, kind text, primary key (id, kind)) partition by list (kind);
create table whole_a partition of whole for values in ('a');
create table whole_b partition of whole for values in ('b');
insert into whole values (1, 'a'), (2, 'a'), (3, 'b');
create table animal (id int primary key, name text);
create table cat (lives int) inherits (animal);
insert into animal values (1, 'any'); insert into cat values (1, 'tom', 9);
create table big (id int primary key, n int);
insert into big select i, i from generate_series(1, 100000) as i;
create extension file_fdw;
create server files foreign data wrapper file_fdw;
create foreign table outside (line text) server files options (filename '/dev/null');
create table partly (id int, kind text) partition by list (kind);
create foreign table partly_f partition of partly for values in ('f') server files options (filename '/dev/null');
create table mirrored (id int primary key); insert into mirrored values (1);
create function mirrors() returns trigger language plpgsql as $$ begin insert into outside values ('x'); return null; end $$;
create trigger mirrors after update on mirrored for each row execute function mirrors();
create sequence counted;
create function loud_name(text) returns text language plpgsql volatile as $$ begin insert into log values ($1); return upper($1); end $$;
create table chain_a (code text primary key); insert into chain_a values ('a'), ('b');
create table chain_b (id int primary key, a text unique references chain_a on delete cascade on update cascade);
insert into chain_b values (1, 'a'), (2, 'b');
create table chain_c (id int primary key, b int references chain_b on delete cascade); insert into chain_c values (1, 1), (2, 1), (3, 2);
create table chain_d (id int primary key, a text references chain_b (a) on delete set null on update cascade);
insert into chain_d values (1, 'a'), (2, 'a'), (3, 'a'), (4, 'b');
create table deep_a (id int primary key, n int); insert into deep_a values (1, 1), (2, 2);
create table deep_b (id serial primary key, n int); insert into deep_b (n) values (1), (2);
create table deep_c (id int primary key, n int); insert into deep_c values (1, 1), (2, 2);
create function steps() returns trigger language plpgsql as $$ begin insert into deep_b (n) values (new.n); return null; end $$;
create constraint trigger first_step after update on deep_a deferrable initially deferred for each row execute function steps();
create function steps_on() returns trigger language plpgsql as $$ begin update deep_c set n = new.n where id = 1; return null; end $$;
create trigger second_step after insert on deep_b for each row execute function steps_on();
create trigger other_event after delete on deep_a for each row execute function steps();
create trigger on_a_replica after update on deep_a for each row execute function steps(); alter table deep_a enable replica trigger on_a_replica;
create trigger never before update of n on deep_c for each row when (false) execute function steps();
create table late (id int primary key);
create function refuses() returns trigger language plpgsql as $$ begin raise insufficient_privilege using message = 'not on a Sunday'; end $$;
create constraint trigger refuses after insert on late deferrable initially deferred for each row execute function refuses();
create role narrow login password 'narrow-only';
grant insert on item to narrow; grant usage on sequence item_id_seq to narrow;
create table walled (id int primary key, who text);
insert into walled values (1, 'narrow'), (2, 'other');
alter table walled enable row level security;
create policy own on walled using (who = current_user);
grant all on walled to narrow;
`;

/** Rows of each of our tables, and what sessions hold. */
const stateQuestion = `
select json_agg(json_build_array(t.relname, query_to_xml(format('select * from %s', t.oid::regclass), true, false, '')::text) order by t.oid)
from pg_class t where t.relkind in ('r', 'p') and t.relnamespace in ('public'::regnamespace, 'other'::regnamespace) and t.relname <> 'big'`;
const heldQuestion = `
select (select count(*) from pg_locks l join pg_stat_activity a using (pid) where a.application_name like 'Sallyport%' and l.locktype <> 'virtualxid')
+ (select count(*) from pg_stat_activity where application_name like 'Sallyport%' and state <> 'idle') + (select count(*) from pg_prepared_xacts)`;

export const stateOf = (server: PostgresServer): Promise<string> => server.ask(stateQuestion);

export async function expectNothingHeldOn(server: PostgresServer): Promise<void> {
  await eventually(
    () => server.ask(heldQuestion),
    held => held === '0',
  );
}

export function previewWorld(): PreviewWorld | { readonly engine: Engine; readonly unavailable: string } {
  const found = findPostgres();
  if ('unavailable' in found) return { engine: 'postgres', unavailable: found.unavailable };
  let server: PostgresServer;
  return {
    engine: 'postgres',
    async start() {
      server = await lendPostgres();
      await server.psql(setUp);
    },
    stop: async () => server?.stop(),
    open: () => openPostgres(endpointOf(server), portsOf(server.password)),
    state: () => stateOf(server),
    expectNothingHeld: () => expectNothingHeldOn(server),
    schema: 'public.',
    money: value => value.toFixed(2),
    ends: [' /* and /* another */ comment */', ';;\n/* ; */ ;'],
    noDataChanges: ['truncate item', 'commit', 'with x as (delete from item returning *) select * from x'],
    endless: 'update item set price = (select 1 from pg_sleep(60))',
    async isEndlessRunning() {
      const asked = "select count(*) from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'";
      return (await server.ask(asked)) === '1';
    },
    longCell: {
      sql: "insert into item values (90, repeat('x', 5000))",
      told: { rows_affected: 1, warnings: ['In after, row 0, "name" is cut; the cell is 5000 bytes long.'] },
    },
  };
}
