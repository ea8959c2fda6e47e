/**
 * Threat: file descriptors run out, because a client opens more and more connections or something
 * else on the machine takes them. Nothing may stay broken afterwards, no processor time may be
 * wasted, and a person who asks what is wrong must be told.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent } from 'node:http';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { noteText } from '../../shared/note.ts';
import { modern, openRaw, type RawConnection, type Reply, type Sending, send } from '../clients/http/wire.ts';
import {
  connectionNames,
  type EngineName,
  engineNames,
  startThreeEngines,
  type ThreeEngines,
  threeEnginesUnavailable,
} from '../journeys/databases/three-engines.ts';
import { needs } from '../needs.ts';
import { until } from '../waiting/until.ts';

const plenty = 4_096;
const unavailable =
  process.platform === 'linux' ? threeEnginesUnavailable() : 'only Linux changes the limits of a running process';

needs(unavailable).describe('without file descriptors', () => {
  let three: ThreeEngines;
  let token: string;
  beforeAll(async () => {
    three = await startThreeEngines();
    ({ token } = await three.mint());
  }, 60_000);
  /** Keeps one connection open, so a call itself needs no new descriptor. */
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  afterAll(() => {
    agent.destroy();
    return three.stop();
  });

  const limitTo = (count: number): void => {
    execFileSync('prlimit', ['--pid', `${three.daemonPid}`, `--nofile=${count}:${plenty}`]);
  };
  /** Leaves the daemon only so many free descriptors; it keeps those it has open. */
  const leave = (count: number): void => {
    const open = new Set(readdirSync(`/proc/${three.daemonPid}/fd`).map(Number));
    let limit = 0;
    for (let free = 0; free <= count; limit += 1) if (!open.has(limit)) free += 1;
    limitTo(limit - 1);
  };
  const held: RawConnection[] = [];
  /**
   * Connections take the free descriptors below the daemon's reserve. A reserve above a lowered
   * limit would free nothing when closed.
   */
  const fillBelowKept = (): Promise<void> =>
    until(async () => {
      const folder = `/proc/${three.daemonPid}/fd`;
      const open = readdirSync(folder).map(Number);
      const kept = open.filter(number => number > 2 && readlinkSync(`${folder}/${number}`) === devNull);
      const last = Math.max(-1, ...kept);
      if (open.filter(number => number < last).length >= last) return true;
      held.push(await openRaw(three.port));
      return false;
    }, 'what is free below those that the daemon keeps is taken');
  /** Hundredths of a second of processor time. */
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${three.daemonPid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  };
  const ticksIn = async (milliseconds: number): Promise<number> => {
    const before = ticks();
    await new Promise(resolve => setTimeout(resolve, milliseconds));
    return ticks() - before;
  };
  const notes = async (): Promise<string> =>
    JSON.parse((await three.here(['status', '--json'])).stdout)
      .notes.map(noteText)
      .join('\n');
  const post = (sending: Sending): Promise<Reply> => send(three.url, { ...sending, agent }).then(({ json }) => json);
  const tables = (engine: EngineName): Promise<Reply> =>
    post(modern(token, 'tools/call', { name: 'list_tables', arguments: { connection: connectionNames[engine] } }));
  const selectOne = (engine: EngineName): Promise<Reply> => {
    const query = { connection: connectionNames[engine], sql: 'select 1' };
    return post(modern(token, 'tools/call', { name: 'execute_query', arguments: query }));
  };
  const isBack = async (): Promise<boolean> =>
    (await post(modern(token, 'tools/list')).catch(() => ({ result: undefined }))).result !== undefined;

  const isOut = async (): Promise<boolean> => (await notes()).includes('Out of file descriptors');

  const isWell = async (): Promise<boolean> => !(await isOut()) && (await isBack());
  const isOutNow = async (): Promise<boolean> => {
    if (await isOut().catch(() => false)) return true;
    // Descriptors that were closing during the count are free now.
    await fillBelowKept();
    leave(0);
    return false;
  };

  beforeEach(() => until(isWell, 'there are enough, and clients are served'));
  afterEach(() => {
    limitTo(plenty);
    for (const connection of held.splice(0)) connection.end();
  });

  test.each(engineNames)(
    'the first call on %s says so, and the next one works once there are some again',
    async engine => {
      let failed: Reply | null = null;
      await until(async () => {
        await until(isWell, 'there are enough, and clients are served');
        await until(isOutNow, 'those that the daemon keeps are given up');
        // One is enough to connect to PostgreSQL, but then its driver can't be read.
        leave(1);
        // With none at all the daemon may end even this connection: then start again.
        failed = await tables(engine).catch(() => null);
        if (failed === null) limitTo(plenty);
        return failed !== null;
      }, 'a call is answered');
      const again = await selectOne(engine).catch(() => null);
      expect(again?.result?.structuredContent).toBeUndefined();
      limitTo(plenty);
      expect(failed).toMatchObject({ result: { isError: true } });
      expect((failed as Reply | null)?.result?.content?.[0]?.text).toMatch(
        /^(not_connected|query_failed): .*(file descriptors|EMFILE)/,
      );
      await until(isBack, 'clients are served again');
      expect((await tables(engine)).result?.structuredContent).toBeDefined();
      expect((await selectOne(engine)).result?.structuredContent).toMatchObject({ rows: [[expect.anything()]] });
    },
    60_000,
  );

  test('a flood of connections makes them give way; status, doctor and the log report it; it clears by itself', async () => {
    leave(24);
    for (let number = 0; number < 100; number++) held.push(await openRaw(three.port));
    const whileFlooded = async (ask: () => Promise<string>): Promise<string> => {
      // The connections that gave way leave room for a moment, so the flood goes on.
      for (let number = 0; number < 20; number++) held.push(await openRaw(three.port));
      return ask();
    };
    const doctor = async (): Promise<string> => (await three.here(['doctor'])).stdout;
    const named = 'Out of file descriptors (ulimit -n ';
    await until(async () => (await whileFlooded(notes)).includes(named), 'the status names it');
    await until(
      async () => /descriptors\s+Out of file descriptors \(ulimit -n /.test(await whileFlooded(doctor)),
      'the doctor names it',
    );
    // Earlier work may still be ending; a daemon that spins never rests.
    await until(async () => (await ticksIn(2_000)) < 60, 'the daemon rests');
    await until(isBack, 'clients are served');
    expect(readFileSync(join(three.home.home, 'logs', 'sallyportd.log'), 'utf8')).toContain('out of file descriptors');
    for (const connection of held.splice(0)) connection.end();
    await until(async () => !(await isOut()), 'there are enough again');
  }, 60_000);

  test('without a descriptor even to turn connections away the daemon rests, and comes back on its port', async () => {
    limitTo(10);
    for (let number = 0; number < 50; number++) {
      const connection = await openRaw(three.port).catch(() => null);
      if (connection !== null) held.push(connection);
    }
    await new Promise(resolve => setTimeout(resolve, 2_500));
    // Earlier work may still be ending; a daemon that spins never rests.
    await until(async () => (await ticksIn(2_000)) < 60, 'the daemon rests');
    limitTo(plenty);
    await until(isBack, 'clients are served again');
    await until(async () => !(await isOut()), 'there are enough again');
  }, 60_000);
});
