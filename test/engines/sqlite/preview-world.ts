/** The tables of the preview suites on SQLite, and how to look at them. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Engine } from '../../../shared/engine.ts';
import { programFile } from '../../../shared/programs.ts';
import type { PreviewWorld } from '../preview-world.ts';
import { busyChildren } from './busy-children.ts';
import { openFile } from './engine.ts';
import { temporaryFolder, withDriver } from './temporary-folder.ts';

export const setUp = `
create table item (id integer primary key autoincrement, name text unique, price real);
insert into item (name, price) values ('ax', 1.5), ('bow', 2.5), ('cup', null);
create table loose (a, b);
insert into loose values (1, 'x'), (1, 'x'), (2, 'y');
create table tight (a text, b int, note text, primary key (a, b)) without rowid;
insert into tight values ('p', 1, 'one'), ('p', 2, 'two');
create table parent (id integer primary key);
create table child (id integer primary key, parent integer references parent (id) deferrable initially deferred);
insert into parent values (1), (2); insert into child values (1, 1);
create table follower (id integer primary key, parent integer references parent (id) on delete cascade);
insert into follower values (1, 2);
create table log (what text);
create table loud (id integer primary key, n int);
insert into loud values (1, 1), (2, 2);
create trigger shout after update on loud begin
  insert into log values ('changed ' || new.id); update loud set n = n + 100 where id = new.id and n < 100;
end;
create view cheap as select id, name from item;
create trigger into_cheap instead of insert on cheap begin insert into item (name) values (new.name); end;
create virtual table words using fts5 (body);
insert into words values ('hello world');
create table angry (id integer primary key);
insert into angry values (1);
create trigger rage before update on angry begin select raise(rollback, 'no, never'); end;
create table chain_a (code text primary key); insert into chain_a values ('a'), ('b');
create table chain_b (id integer primary key, a text unique references chain_a on delete cascade on update cascade);
insert into chain_b values (1, 'a'), (2, 'b');
create table chain_c (id integer primary key, b int references chain_b on delete cascade); insert into chain_c values (1, 1), (2, 1), (3, 2);
create table chain_d (id integer primary key, a text references chain_b (a) on delete set null on update cascade);
insert into chain_d values (1, 'a'), (2, 'a'), (3, 'a'), (4, 'b');
create table heard (id integer primary key, n int); insert into heard values (1, 0), (2, 0);
create trigger hears after delete on chain_c begin update heard set n = n + 1 where id = 1; end;
create trigger hears_on after update on heard when new.n > 1 begin delete from heard where id = 2; end;
create table two_keys (id integer primary key, n int unique, s text); insert into two_keys values (1, 11, 'a'), (2, 12, 'b'), (3, 13, 'c');
create table big (id integer primary key, n int);
insert into big with recursive c (i) as (select 1 union all select i + 1 from c where i < 100000) select i, i from c;
`;

export function stateOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

export function previewWorld(): PreviewWorld | { readonly engine: Engine; readonly unavailable: string } {
  if (!existsSync(programFile('sqlite-worker')))
    return { engine: 'sqlite', unavailable: 'the child program is not built: make build' };
  const path = temporaryFolder();
  const file = () => path('previews.db');
  return {
    engine: 'sqlite',
    start: async () => withDriver(file(), driver => driver.exec(setUp)),
    stop: async () => {},
    open: () => openFile(file()),
    state: async () => stateOf(file()),
    // Anything held would be in the file, or block the next statement.
    expectNothingHeld: async () => {},
    schema: '',
    money: value => value,
    ends: [';;\n/* ; */ ;', '\n-- x\n;'],
    noDataChanges: ['pragma user_version = 3', 'explain delete from item'],
    endless:
      'update big set n = (with recursive c (i) as (select 1 union all select i + 1 from c) select count(*) from c)',
    isEndlessRunning: async () => (await busyChildren()).length > 0,
    longCell: {
      sql: "insert into item (name) values (printf('%.*c', 5000, 'x'))",
      told: { rows_affected: 1, warnings: ['In after, row 0, "name" is cut; the cell is 5000 bytes long.'] },
    },
  };
}
