/** The tables of the preview suites on MariaDB and MySQL, and how to look at them. */

import { expect } from '@jest/globals';
import { openMysql } from '../../../daemon/engines/mysql/open.ts';
import type { Engine } from '../../../shared/engine.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { dialect, isMysql, type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { eventually } from '../postgres/suite.ts';
import type { PreviewWorld } from '../preview-world.ts';
import { endpointOf, portsOf } from './endpoint.ts';

const setUp = `
create table item (id int auto_increment primary key, name varchar(20) character set latin1 unique, price decimal(8,2));
insert into item (name, price) values ('ax', 1.5), ('bow', 2.5), ('cup', null);
create table loose (a int, b text);
insert into loose values (1, 'x'), (2, 'y');
create table \`it em\` (\`the key\` binary(4), n bigint unsigned, s varchar(5) character set utf8mb4, v int, primary key (\`the key\`, n, s));
insert into \`it em\` values (x'00ff0001', 18446744073709551615, 'ü', 1), (x'00ff0002', 9007199254740993, 'ü''', 2);
create table log (what text);
create table lengthy (id int primary key, what text);
insert into lengthy values (2, 'y');
create table loud (id int primary key, n int, changed int default 0);
insert into loud (id, n) values (1, 1), (2, 2);
create trigger shouting before update on loud for each row begin set new.changed = old.changed + 1; insert into log values ('changed'); end//
create view cheap as select id, name from item where price < 2//
create table isam (id int primary key, n int) engine = MyISAM//
insert into isam values (1, 1)//
create table memory_table (id int primary key) engine = MEMORY//
create table csv_table (id int not null) engine = CSV//
create table aria_table (id int primary key) engine = Aria transactional = 0//
create view over_isam as select * from isam//
create table tells (id int primary key)//
insert into tells values (1)//
create trigger telling after delete on tells for each row insert into isam values (old.id + 100, 0)//
create table keyed (id int primary key, n int)// insert into keyed values (1, 1)//
create trigger by_key after update on keyed for each row update isam set n = 9 where id = new.id//
create function counting(x int) returns int begin insert into isam values (x, x); return x; end//
create function harmless(x int) returns int deterministic begin declare y varchar(10) default 'a'; if (x > 1) then return x; end if; return x + 1; end//
create procedure deeper() begin update isam set n = 2; end//
create table calls (id int primary key)//
insert into calls values (1)//
create trigger calling after update on calls for each row call deeper()//
create table calm (id int primary key, n int)//
insert into calm values (1, 1)//
create trigger calming before update on calm for each row set new.n = harmless(new.n)//
create table parent (id int primary key)//
create table child (id int primary key, parent int, foreign key (parent) references parent (id) on delete cascade)//
insert into parent values (1), (2)// insert into child values (10, 1), (20, 2)//
create table big (id int primary key, n int)//
insert into big select seq, seq from seq_1_to_100000//
create sequence counted//
create view seeming as select id, counting(id + 50) as n from calm//
create table from_sequence (id bigint default nextval(counted) primary key, n int)//
create table chain_a (code varchar(5) primary key)// insert into chain_a values ('a'), ('b')//
create table chain_b (id int primary key, a varchar(5) unique, foreign key (a) references chain_a (code) on delete cascade on update cascade)//
insert into chain_b values (1, 'a'), (2, 'b')//
create table chain_c (id int primary key, b int, foreign key (b) references chain_b (id) on delete cascade)//
insert into chain_c values (1, 1), (2, 1), (3, 2)//
create table chain_d (id int primary key, a varchar(5), foreign key (a) references chain_b (a) on delete set null on update cascade)//
insert into chain_d values (1, 'a'), (2, 'a'), (3, 'a'), (4, 'b')//
create table deep_a (id int primary key, n int)// insert into deep_a values (1, 1), (2, 2)//
create table deep_b (id int primary key auto_increment, n int)// insert into deep_b values (1, 1), (2, 2)//
create table deep_c (id int primary key, n int)// insert into deep_c values (1, 1), (2, 2)//
create trigger first_step after update on deep_a for each row insert into deep_b (n) values (new.n)//
create trigger second_step before insert on deep_b for each row update deep_c set n = new.n where id = 1//
create trigger other_event after delete on deep_a for each row delete from deep_c where id > old.id//
create table two_keys (id int primary key, n int unique, s varchar(5))// insert into two_keys values (1, 11, 'a'), (2, 12, 'b'), (3, 13, 'c')//
create user narrow@localhost identified by 'narrow-only'//
create user narrow@'127.0.0.1' identified by 'narrow-only'//
grant select, insert, update, delete on own.* to narrow@'127.0.0.1'//
grant select, insert, update, delete on own.* to narrow@localhost//
`;

/** MySQL has neither. */
const mariadbsOwn = /^create (?:sequence|table (?:from_sequence|aria_table)) .*\n/gm;

const tables =
  'item loose `it`em` log loud isam tells calls calm parent child from_sequence chain_a chain_b chain_c chain_d deep_a deep_b deep_c two_keys'
    .split(' ')
    .filter(name => !name.includes('`') && !(isMysql() && name === 'from_sequence'));
const stateQuestion = `checksum table ${tables.join(', ')}, \`it em\`, memory_table, csv_table${isMysql() ? '' : ', aria_table'} extended`;
const heldQuestion = `select (select count(*) from information_schema.innodb_trx) + (select count(*) from information_schema.processlist where command = 'Query' and id <> connection_id())`;

export async function startPreviewServer(): Promise<MariadbServer> {
  const server = await lendMariadb();
  await server.client('create database own');
  const [plain = '', ...rest] = dialect(isMysql() ? setUp.replace(mariadbsOwn, '') : setUp).split(
    'create trigger shouting',
  );
  await server.client(plain, { database: 'own' });
  await server.client(`delimiter //\ncreate trigger shouting${rest.join('')}`, { database: 'own' });
  return server;
}

export const stateOf = (server: MariadbServer): Promise<string> => server.ask(stateQuestion, 'own');

export async function expectNothingHeldOn(server: MariadbServer): Promise<void> {
  await eventually(
    () => server.ask(heldQuestion),
    held => held.trim() === '0',
  );
}

export const rowsReallyOn = async (server: MariadbServer, sql: string): Promise<number> =>
  Number(await server.ask(`begin; ${sql}; select row_count(); rollback`, 'own'));

export function previewWorld(): PreviewWorld | { readonly engine: Engine; readonly unavailable: string } {
  const unavailable = mariadbUnavailable();
  if (unavailable !== null) return { engine: 'mysql', unavailable };
  let server: MariadbServer;
  return {
    engine: 'mysql',
    async start() {
      server = await startPreviewServer();
    },
    stop: async () => server?.stop(),
    open: () => openMysql(endpointOf(server, { database: 'own', databases: 'own' }), portsOf(server)),
    state: () => stateOf(server),
    expectNothingHeld: () => expectNothingHeldOn(server),
    schema: 'own.',
    money: value => value.toFixed(2),
    ends: [' # returning', ';\n/* ; */ ', "\n# it's\n;"],
    noDataChanges: ['truncate item', 'commit', 'call deeper()'],
    endless: 'update item set price = sleep(60)',
    isEndlessRunning: async () => (await server.ask('show processlist')).includes('User sleep'),
    longCell: {
      sql: "update lengthy set what = repeat('x', 5000) where id = 2",
      told: { rows_affected: 1, after: [[2, expect.stringMatching(/^x{50,100}$/)]] },
    },
    rowsReally: sql => rowsReallyOn(server, sql),
  };
}
