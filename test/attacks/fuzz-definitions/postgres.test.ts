/** What another role notices on PostgreSQL of definitions that nobody was asked about. */

import { beforeAll } from '@jest/globals';
import pg from 'pg';
import { describeWithPostgres } from '../../engines/postgres/suite.ts';
import { asking, honest, setUp } from '../defined-postgres-statements.ts';
import { unaskedChangesNothing } from './frame.ts';
import { definitions } from './postgres-definitions.ts';
import { answersOf, workload } from './postgres-workload.ts';

const base = 'before_definitions';
const copy = 'with_definitions';

describeWithPostgres('unasked definitions change nothing that another role reads or writes', suite => {
  beforeAll(async () => {
    await suite.server.psql(`create database ${base}`);
    await suite.server.psql(setUp, base);
  }, 120_000);

  const within = async <Result>(database: string, use: (client: pg.Client) => Promise<Result>, user?: string) => {
    const { host, port, superuser, password } = suite.server;
    const client = new pg.Client({
      host,
      port,
      database,
      user: user ?? superuser,
      password: user === undefined ? password : `${user}-only`,
    });
    await client.connect();
    try {
      return await use(client);
    } finally {
      await client.end();
    }
  };

  unaskedChangesNothing({
    workload,
    definitions,
    honest,
    asking: asking.map(({ sql }) => sql),
    noticed: [
      'create domain public.md5 as varchar',
      'create type public.power as range (subtype = int4)',
      'create domain public.slug as varchar',
      'create table hers.accounts (id int)',
      'create index bomb on orders ((id + 2147483147))',
      "create index bomb on orders ((meta - 'k'))",
      'alter table outbox add column bomb int not null',
      'alter table orders add column gross int',
      'alter table untouched add constraint never check (v < 0)',
      'create unique index on untouched (v)',
      'alter table orders alter gross_base set not null',
      'create or replace view totals as select count(*) as orders from accounts',
      'alter table orders alter note set default 5',
    ],
    renew: () =>
      within('postgres', async client => {
        await client.query(`drop database if exists ${copy} with (force)`);
        await client.query(`create database ${copy} template ${base}`);
        await client.query(`grant create on database ${copy} to app`);
      }),
    define: sql => within(copy, client => client.query(sql), 'app'),
    answers: () => within(copy, answersOf, 'other'),
    open: () => suite.open({ user: 'app', database: copy }, 'app-only'),
  });
});
