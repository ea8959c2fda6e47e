/** What another account notices on MySQL or MariaDB of definitions that nobody was asked about. */

import { afterAll, beforeAll } from '@jest/globals';
import { openMysql } from '../../../daemon/engines/mysql/database.ts';
import { endpointOf, portsOf } from '../../engines/mysql/endpoint.ts';
import { needs } from '../../needs.ts';
import { lendMariadb } from '../../servers/lent.ts';
import { type MariadbServer, mariadbUnavailable } from '../../servers/mariadb.ts';
import { unaskedChangesNothing } from './frame.ts';
import { definitions } from './mysql-definitions.ts';
import { answersOf, database, setUp, workload } from './mysql-workload.ts';

needs(mariadbUnavailable()).describe('unasked definitions change nothing that another account reads or writes', () => {
  let server: MariadbServer;
  beforeAll(async () => {
    server = await lendMariadb();
    await server.ask(`create user other identified by 'other-only'; grant all on *.* to other`);
  }, 120_000);
  afterAll(async () => {
    await server.ask(
      `drop user other; drop database if exists ${database}; drop database if exists fresh_database; drop database if exists other`,
    );
    await server.stop();
  }, 60_000);

  unaskedChangesNothing({
    workload,
    definitions,
    honest: [
      'create table made (id int primary key, p int, key (p), foreign key (p) references orders (id) on delete cascade)',
      'create table made_like like orders',
      'create view made_view as select id from accounts',
      'create index made_index on orders (status, total)',
      'create index made_prefix on orders (note(5))',
      'create fulltext index made_text on orders (note)',
      'alter table orders add column a1 int',
      "alter table accounts add a2 varchar(20) not null default 'x' after email",
      'alter table outbox add column a3 datetime default current_timestamp on update current_timestamp',
      'alter table parted add partition (partition p2 values less than (300))',
      'alter table hashed coalesce partition 2',
      'alter table orders force',
      'alter table orders engine = InnoDB',
      'alter table accounts modify email varchar(200)',
      "alter table accounts modify column pw varchar(255) not null default 'x'",
      'create unique index made_p on made (p)',
    ],
    asking: [
      'create unique index bomb on outbox (body)',
      'alter table outbox add column bomb int not null',
      'alter table orders add check (total < 100)',
      'alter table searched engine = InnoDB',
      'alter table searched disable keys',
      "alter table outbox add column bomb json default ('x')",
      'alter table outbox add column bomb int default (uuid())',
      'alter table outbox add column FTS_DOC_ID bigint unsigned not null default 0',
      "alter table accounts comment = 'x'",
      'alter table accounts modify pw varchar(255) not null',
      'alter table accounts modify email varchar(200) not null',
      "alter table orders modify kind enum('b', 'a')",
      'alter table orders alter status set default 5',
      'create or replace view totals as select 1 as number, 2 as latest',
      'alter table orders auto_increment = 2147483647',
    ],
    noticed: [
      'create unique index bomb on outbox (id)',
      'create unique index bomb on orders (kind, total)',
      'alter table untouched add column bomb int not null, add unique (bomb)',
      'alter table untouched add constraint never check (v < 0)',
      'alter table searched engine = InnoDB',
      'alter table accounts modify email varchar(100) character set latin1 collate latin1_bin',
      "alter table orders modify kind enum('b', 'a')",
      'alter table orders alter total set default 7',
      'alter table orders modify status varchar(21) not null',
      'create or replace view totals as select 1 as number, 2 as latest',
      'create trigger late before insert on accounts for each row set new.pw = null',
      'alter table items drop foreign key items_ibfk_1',
      "alter table accounts comment = 'x'",
      'alter table outbox add column FTS_DOC_ID bigint unsigned not null default 0, add fulltext index (body)',
      'alter table searched disable keys',
    ],
    renew: () => server.ask(setUp).then(() => {}),
    define: sql => server.ask(sql, database),
    answers: () => answersOf(server),
    open: () => openMysql(endpointOf(server, { database, user: 'root' }), portsOf(server)),
  });
});
