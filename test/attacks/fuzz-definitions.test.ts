/**
 * Runs definitions through the built guard, each on a copy of a database, and what another role
 * does there before and after: an answer that differs after what nobody was asked about is a
 * finding. `make fuzz-definitions SEED=… MINUTES=…` goes on with other seeds.
 */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { describeWithPostgres } from '../engines/postgres/suite.ts';
import { asking, honest, setUp } from './defined-postgres-statements.ts';
import { definitions } from './fuzz-definitions/generated.ts';
import { answersOf, workload } from './fuzz-definitions/workload.ts';
import { writingClient } from './write-as-a-client.ts';

const firstSeed = Number(process.env.FUZZ_DEFINITIONS_SEED ?? 1);
const minutes = Number(process.env.FUZZ_DEFINITIONS_MINUTES ?? 0);
const fewSeeds = 40;

const base = 'before_definitions';
const copy = 'with_definitions';

describeWithPostgres('unasked definitions change nothing that another role reads or writes', suite => {
  let before: readonly string[] = [];

  beforeAll(async () => {
    await suite.server.psql(`create database ${base}`);
    await suite.server.psql(setUp, base);
    await renew();
    before = await answers();
  }, 120_000);
  beforeEach(() => renew(), 60_000);

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

  const renew = () =>
    within('postgres', async client => {
      await client.query(`drop database if exists ${copy} with (force)`);
      await client.query(`create database ${copy} template ${base}`);
      await client.query(`grant create on database ${copy} to app`);
    });

  const answers = () => within(copy, answersOf, 'other');

  /** @returns statements of the other role that answer otherwise than before. */
  const changed = async () => {
    const after = await answers();
    return workload.flatMap((sql, at) => (after[at] === before[at] ? [] : [`${sql}: ${before[at]} -> ${after[at]}`]));
  };

  /** @returns those that ran unasked on a new copy, and those of them that failed there. */
  async function sent(statements: readonly string[]) {
    const database = suite.open({ user: 'app', database: copy }, 'app-only');
    const write = writingClient(() => database);
    const ran: string[] = [];
    let refused = 0;
    for (const sql of statements) {
      const end = await write(sql);
      if (end === 'done') ran.push(sql);
      if (end.startsWith('query_failed')) refused += 1;
    }
    await database.close();
    return { ran, refused };
  }

  test('the other role would notice', async () => {
    expect(workload.length).toBeGreaterThanOrEqual(250);
    const unnoticed: string[] = [];
    for (const sql of [
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
    ]) {
      await within(copy, client => client.query(sql), 'app');
      if ((await changed()).length === 0) unnoticed.push(sql);
      await renew();
    }
    expect(unnoticed).toEqual([]);
  }, 120_000);

  test('honest additions, one after the other', async () => {
    const { ran } = await sent(honest);
    expect(ran.length).toBeGreaterThan(honest.length - 5);
    expect(await changed()).toEqual([]);
  }, 120_000);

  test('attacks', async () => {
    const { ran } = await sent(asking.map(({ sql }) => sql));
    expect([ran, await changed()]).toEqual([[], []]);
  }, 120_000);

  test(
    `definitions from seed ${firstSeed}`,
    async () => {
      const end = performance.now() + minutes * 60_000;
      const findings: unknown[] = [];
      const total = { ran: 0, sent: 0, refused: 0 };
      for (let seed = firstSeed; minutes > 0 ? performance.now() < end : seed < firstSeed + fewSeeds; seed += 1) {
        const [statements = []] = fc.sample(definitions, { seed, numRuns: 1 });
        const { ran, refused } = await sent(statements);
        total.sent += statements.length;
        total.refused += refused;
        total.ran += ran.length;
        if (ran.length === 0) continue;
        const differs = await changed();
        if (differs.length > 0) findings.push({ seed, ran, differs: differs.slice(0, 5) });
        await renew();
      }
      if (minutes > 0) process.stderr.write(`${JSON.stringify(total)}\n`);
      expect(findings).toEqual([]);
      expect(total.ran).toBeGreaterThan(total.sent / 20);
    },
    minutes * 60_000 + 300_000,
  );
});
