/**
 * One connection with several servers: a primary and its standby, one that is stopped, one that
 * hangs, one that dies in the middle of a query.
 */

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Endpoint } from '../../../daemon/access/connection.ts';
import type { Database, StatementOutcome } from '../../../daemon/engines/engine.ts';
import { openPostgres } from '../../../daemon/engines/postgres/database.ts';
import { takenBack } from '../../../daemon/engines/postgres/run/attempt.ts';
import { needs } from '../../needs.ts';
import { freePort } from '../../servers/free-port.ts';
import { findPostgres, type PostgresServer, startPostgres } from '../../servers/postgres.ts';
import { until } from '../../waiting/until.ts';
import { endpointOf, portsOf, runOn } from './suite.ts';

const binaries = findPostgres();

needs('unavailable' in binaries ? binaries.unavailable : null).describe('several PostgreSQL servers', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let nothing: number;
  const opened: Database[] = [];

  beforeAll(async () => {
    if ('unavailable' in binaries) throw new Error(binaries.unavailable);
    primary = await startPostgres(binaries);
    await primary.psql('create table t (id int primary key)');
    standby = await startPostgres(binaries, primary);
    nothing = await freePort();
  }, 120_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(database => database.close()));
  });
  afterAll(async () => {
    await standby?.stop();
    await primary?.stop();
  }, 60_000);

  const open = (ports: readonly number[], changes: Partial<Endpoint> = {}, password = primary.password): Database => {
    const host = ports.map(port => `127.0.0.1:${port}`).join(',');
    const database = openPostgres(endpointOf(primary, { host, ...changes }), portsOf(password));
    opened.push(database);
    return database;
  };
  const messageOf = (outcome: StatementOutcome): string => ('message' in outcome ? outcome.message : outcome.kind);
  /** The port of the server that answers, or the failure. */
  const answering = async (database: Database): Promise<unknown> => {
    const { outcome, rows } = await runOn(database, 'select inet_server_port()', { timeoutSeconds: 8 });
    return outcome.kind === 'done' ? rows[0]?.[0] : messageOf(outcome);
  };

  test('the first that answers is used', async () => {
    expect(await answering(open([nothing, standby.port, primary.port]))).toBe(standby.port);
  });

  test.each([
    ['read-write', 'primary'],
    ['primary', 'primary'],
    ['read-only', 'standby'],
    ['standby', 'standby'],
    ['prefer-standby', 'standby'],
  ] as const)('%s is the %s, whichever is first', async (targetServers, expected) => {
    const { port } = { primary, standby }[expected];
    for (const ports of [
      [primary.port, standby.port],
      [standby.port, primary.port],
    ])
      expect(await answering(open(ports, { targetServers }))).toBe(port);
  });

  test('a read-only primary isn’t used for writing, and any server is used if there is no standby', async () => {
    await primary.psql('alter system set default_transaction_read_only = on; select pg_reload_conf()');
    try {
      await until(async () => (await primary.psql('show default_transaction_read_only')) === 'on', 'it only reads');
      expect(await answering(open([primary.port, nothing], { targetServers: 'read-write' }))).toMatch(/it only reads/);
      expect(await answering(open([primary.port, nothing], { targetServers: 'read-only' }))).toBe(primary.port);
    } finally {
      await primary.psql('set default_transaction_read_only = off; alter system reset default_transaction_read_only');
      await primary.psql('select pg_reload_conf()');
    }
    expect(await answering(open([nothing, primary.port], { targetServers: 'prefer-standby' }))).toBe(primary.port);
  });

  test('if none is suitable, each is named with its reason', async () => {
    const message = await answering(open([nothing, standby.port], { targetServers: 'primary' }));
    expect(message).toContain(`127.0.0.1:${nothing} (nothing listens there)`);
    expect(message).toContain(`127.0.0.1:${standby.port} (it is a standby)`);
  });

  test('a wrong password is tried once', async () => {
    const database = open([primary.port, standby.port], {}, 'wrong');
    expect(await answering(database)).toMatch(/password authentication failed/);
    expect(await answering(database)).not.toContain('none of its servers');
  });

  test('TLS expects the name of the dialled server', async () => {
    const tls = { mode: 'verify-full', caFile: primary.certificates.caFile } as const;
    const host = `127.0.0.2:${primary.port},localhost:${primary.port}`;
    expect(await answering(open([], { host, tls }))).toBe(primary.port);
    const { wrongHostCertificateFile, wrongHostKeyFile } = primary.certificates;
    await primary.serveCertificate({ certificateFile: wrongHostCertificateFile, keyFile: wrongHostKeyFile });
    const message = await answering(open([], { host: `localhost:${primary.port},127.0.0.1:${primary.port}`, tls }));
    expect(message).toMatch(/localhost:\d+ \(TLS failed .*altnames.*127\.0\.0\.1:\d+ \(TLS failed .*altnames/s);
    const { serverCertificateFile, serverKeyFile } = primary.certificates;
    await primary.serveCertificate({ certificateFile: serverCertificateFile, keyFile: serverKeyFile });
  });

  test('a cancel goes to the server that runs the statement', async () => {
    const database = open([nothing, standby.port, primary.port]);
    const leaving = new AbortController();
    const slow = runOn(database, 'select pg_sleep(60)', { signal: leaving.signal });
    const running = () => standby.ask("select count(*) from pg_stat_activity where query like 'select pg_sleep%'");
    await until(async () => (await running()) === '1', 'it runs');
    leaving.abort();
    expect((await slow).outcome).toEqual({ kind: 'cancelled' });
    await until(async () => (await running()) === '0', 'it was stopped');
  });

  test('a server that hangs during a query: the call ends, another answers the next', async () => {
    const database = open([primary.port, standby.port]);
    expect(await answering(database)).toBe(primary.port);
    await Promise.all([answering(database), answering(database)]);
    primary.pause();
    try {
      const hung = await runOn(database, 'select 1', { timeoutSeconds: 1 });
      expect(hung.outcome).toEqual({ kind: 'no_answer', stage: 'statement', seconds: 1 });
      expect(await answering(database)).toBe(standby.port);
      expect(await answering(open([primary.port, standby.port]))).toBe(standby.port);
    } finally {
      primary.resume();
    }
  }, 60_000);

  test('a server killed during a write: it is sent to no other, and the next call is answered', async () => {
    const database = open([primary.port, standby.port]);
    const sql = 'insert into t select 1 from pg_sleep(20)';
    const write = runOn(database, sql, { session: 'write' });
    await until(
      async () =>
        (await primary.ask("select count(*) from pg_stat_activity where query like 'insert into t%'")) === '1',
      'the write runs',
    );
    const crash = primary.crash();
    const { outcome } = await write;
    expect(outcome).toMatchObject({ kind: 'not_connected', message: expect.stringContaining(takenBack) });
    expect([primary.port, standby.port]).toContain(await answering(database));
    await crash;
    expect(await primary.psql('select count(*) from t')).toBe('0');
  }, 60_000);
});
