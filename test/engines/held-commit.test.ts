/** A COMMIT stays unanswered: PostgreSQL says later how it ended. */

import { afterEach, expect } from '@jest/globals';
import type { CommitFate, CommitTrace } from '../../daemon/engines/engine.ts';
import { openPostgres } from '../../daemon/engines/postgres/database.ts';
import { needs } from '../needs.ts';
import { type CuttableLine, openLine } from '../servers/cuttable-line.ts';
import { lendPostgres } from '../servers/lent.ts';
import { findPostgres } from '../servers/postgres.ts';
import { until } from '../waiting/until.ts';
import { call, collect } from './collecting-sink.ts';
import { endpointOf as postgresEndpoint } from './postgres/suite.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const found = findPostgres();

/** @returns what the server says, by another line, of a COMMIT that nobody saw end. */
async function fateAfter(
  prepare: (line: CuttableLine, server: Awaited<ReturnType<typeof lendPostgres>>) => void,
  meanwhile: (server: Awaited<ReturnType<typeof lendPostgres>>, line: CuttableLine) => Promise<void>,
): Promise<{ readonly fates: readonly CommitFate[]; readonly rows: string }> {
  const server = await lendPostgres();
  undo.push(() => server.stop());
  await server.psql('drop table if exists fated; create table fated (a int)');
  const line = await openLine(server.port);
  undo.push(async () => line.close());
  const ports = { password: async () => server.password, now: () => performance.now() };
  const far = openPostgres({ ...postgresEndpoint(server), port: line.port }, ports);
  const near = openPostgres(postgresEndpoint(server), ports);
  undo.push(
    () => far.close(),
    () => near.close(),
  );
  prepare(line, server);
  const traces: CommitTrace[] = [];
  const write = { session: 'write', timeoutSeconds: 2, mayCommit: () => true } as const;
  const sent = collect(far, 'insert into fated values (1)', { ...write, committing: trace => traces.push(trace) });
  const fates: CommitFate[] = [];
  const ask = async (): Promise<CommitFate> => {
    const [trace] = traces;
    const told = trace && (await near.fateOf?.(call, trace));
    return told?.kind === 'done' ? told.value : 'untold';
  };
  expect((await sent).outcome.kind).toBe('outcome_unknown');
  fates.push(await ask());
  await meanwhile(server, line);
  await until(async () => (await ask()) !== 'open', 'the server has ended it');
  fates.push(await ask());
  return { fates, rows: await server.ask('select count(*) from fated') };
}

const postgres = needs('unavailable' in found ? found.unavailable : null);

postgres.test(
  'PostgreSQL says of a swallowed COMMIT that it was not done, once its session has ended',
  async () => {
    const { fates, rows } = await fateAfter(
      line => line.set({ bytes: 'COMMIT', passesThem: false, how: 'silent' }),
      async (_, line) => line.close(),
    );
    expect({ last: fates.at(-1), rows }).toEqual({ last: 'not_done', rows: '0' });
  },
  60_000,
);

postgres.test(
  'PostgreSQL says of a COMMIT whose answer is swallowed that it was done',
  async () => {
    const { fates, rows } = await fateAfter(
      line => line.set({ bytes: 'COMMIT', passesThem: true, how: 'silent' }),
      async () => {},
    );
    expect({ fates, rows }).toEqual({ fates: ['done', 'done'], rows: '1' });
  },
  60_000,
);

postgres.test(
  'PostgreSQL says open while a COMMIT is held, and how it ended once the server ends its session',
  async () => {
    const { fates, rows } = await fateAfter(
      line => line.set({ bytes: 'COMMIT', passesThem: false, how: 'silent' }),
      async server => {
        await server.psql(
          "select pg_terminate_backend(pid) from pg_stat_activity where state = 'idle in transaction' and query <> ''",
        );
      },
    );
    expect({ last: fates.at(-1), rows }).toEqual({ last: 'not_done', rows: '0' });
  },
  60_000,
);

postgres.test(
  'a transaction of another server or timeline, or one that the server has forgotten, is not told',
  async () => {
    const server = await lendPostgres();
    undo.push(() => server.stop());
    await server.psql('drop table if exists fated; create table fated (a int)');
    const ports = { password: async () => server.password, now: () => performance.now() };
    const database = openPostgres(postgresEndpoint(server), ports);
    undo.push(() => database.close());
    const traces: CommitTrace[] = [];
    const write = { session: 'write', mayCommit: () => true, committing: (trace: CommitTrace) => traces.push(trace) };
    expect((await collect(database, 'insert into fated values (1)', write as never)).outcome.kind).toBe('done');
    const [trace = {}] = traces;
    const [system = '', timeline = ''] = (trace.mark ?? '').split(' ');
    const fate = async (changed: CommitTrace) => database.fateOf?.(call, { ...trace, ...changed });
    expect(await fate({})).toEqual({ kind: 'done', value: 'done' });
    expect(await fate({ mark: `${system}0 ${timeline}` })).toEqual({ kind: 'done', value: 'untold' });
    expect(await fate({ mark: `${system} 00000002` })).toEqual({ kind: 'done', value: 'untold' });
    // From before the server's first transaction that it remembers; and from the future.
    expect(await fate({ transaction: '1000000000000' })).toMatchObject({ kind: 'query_failed' });
    expect(timeline).toBe('00000001');
  },
  60_000,
);

postgres.test(
  'PostgreSQL crashes before COMMIT: it was not done, and after it nobody says of another transaction that it was ours',
  async () => {
    const { fates, rows } = await fateAfter(
      line => line.set({ bytes: 'COMMIT', passesThem: false, how: 'silent' }),
      async server => server.crash(),
    );
    expect({ last: fates.at(-1), rows }).toEqual({ last: 'not_done', rows: '0' });
  },
  60_000,
);

postgres.test(
  'after a crash a number that was committed is told of nobody, as it may have been given away again',
  async () => {
    const server = await lendPostgres();
    undo.push(() => server.stop());
    await server.psql('drop table if exists fated; create table fated (a int)');
    // Else the crash may take the table along.
    await server.psql('checkpoint');
    const ports = { password: async () => server.password, now: () => performance.now() };
    const traces: CommitTrace[] = [];
    const write = { session: 'write', mayCommit: () => true, committing: (trace: CommitTrace) => traces.push(trace) };
    const open = () => {
      const database = openPostgres(postgresEndpoint(server), ports);
      undo.push(() => database.close());
      return database;
    };
    expect((await collect(open(), 'insert into fated values (1)', write as never)).outcome.kind).toBe('done');
    // These servers don't wait for their disk: without it the crash would take the row along.
    await server.psql('checkpoint');
    await server.crash();
    await until(async () => (await server.ask('select 1')) === '1', 'the server is back');
    expect(await open().fateOf?.(call, traces[0] ?? {})).toEqual({ kind: 'done', value: 'untold' });
  },
  60_000,
);
