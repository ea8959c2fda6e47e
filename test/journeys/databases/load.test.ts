/**
 * Cells of 100 and 200 MB, which must not grow the daemon, and fifty queries at once, none of which
 * may see another's rows.
 */

import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { modern as modernLine } from '../../bridge/bridge-process.ts';
import { modern } from '../../clients/http/wire.ts';
import { until } from '../../waiting/until.ts';
import { everyClient } from '../clients/every-client.ts';
import {
  childrenOf,
  connectionNames,
  describeWithThreeEngines,
  type EngineName,
  engineNames,
  forgetPeak,
  memoryOf,
} from './three-engines.ts';

const mostMegabytes = 64;

const hugeCells: readonly (readonly [EngineName, string])[] = [
  ['postgres', "select repeat('x', 200000000)"],
  ['postgres', "select 1, repeat('é', 100000000), 2"],
  ['postgres', "select n, repeat('x', 1000000) from generate_series(1, 500) n"],
  ['mysql', "select repeat('x', 200000000)"],
  ['mysql', "select 1, repeat('é', 100000000), 2"],
  ['mysql', "select seq, repeat('x', 1000000) from seq_1_to_500"],
  ['sqlite', 'select zeroblob(100000000)'],
  ['sqlite', "select 1, printf('%.*c', 200000000, 'x'), 2"],
  [
    'sqlite',
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) select i, printf('%.*c', 1000000, 'x') from n",
  ],
];

/** Rows that carry their caller's tag. */
const tagged: Readonly<Record<EngineName, (tag: number) => string>> = {
  postgres: tag => `select ${tag} as tag, n from generate_series(1, 50) n order by n`,
  mysql: tag => `select ${tag} as tag, cast(seq as signed) + 0e0 as n from seq_1_to_50 order by seq`,
  sqlite: tag =>
    `with recursive s(n) as (select 1 union all select n + 1 from s where n < 50) select ${tag} as tag, n from s order by n`,
};

describeWithThreeEngines('under load', three => {
  let token: string;
  beforeAll(async () => {
    token = (await three.mint()).token;
    // Memory loaded at the first use isn't growth by a large cell.
    for (const engine of engineNames) await three.query(token, engine, 'select 1');
    await settled();
  }, 60_000);

  /**
   * Waits for what the daemon loads after its first answers (the classifier's second thread, for
   * example); that isn't growth by a large cell either.
   */
  async function settled(): Promise<void> {
    for (let last = 0, now = memoryOf(three.daemonPid).now; Math.abs(now - last) > 1; ) {
      last = now;
      await wait(1_000);
      now = memoryOf(three.daemonPid).now;
    }
  }

  test.each(hugeCells)(
    '%s: %s',
    async (engine, sql) => {
      forgetPeak(three.daemonPid);
      const before = memoryOf(three.daemonPid).now;
      const { isError, content, structuredContent } = await three.query(token, engine, sql, { max_rows: 10_000 });
      const grown = memoryOf(three.daemonPid).peak - before;
      const children = childrenOf(three.daemonPid).flatMap(({ pid }) => peakWhereItLives(pid));
      process.stdout.write(
        `${engine} ${sql.slice(0, 60)}: +${grown.toFixed(1)} MB (children ${children.join(', ')}), ${
          isError ? content?.[0]?.text : structuredContent?.truncated_because
        }\n`,
      );
      expect(grown).toBeLessThan(mostMegabytes);
      if (isError) expect(content?.[0]?.text).toMatch(/^(query_failed|unsupported): .*(large|big|bytes|limit)/i);
      else if (!structuredContent?.truncated) expect(structuredContent?.cut_cells).not.toEqual([]);
      expect(JSON.stringify(structuredContent ?? '').length).toBeLessThan(400_000);
      expect((await three.query(token, engine, 'select 1')).structuredContent?.rows).toEqual([[1]]);
    },
    60_000,
  );

  test('fifty queries at once on three engines from several clients: each row is its caller’s', async () => {
    const kinds = Object.keys(everyClient);
    const clients = await Promise.all(
      kinds.map(async kind => {
        const own = await three.mint();
        const client = await everyClient[kind]?.({ home: three.home, url: three.url, token: own.token });
        if (client === undefined) throw new Error(kind);
        return client;
      }),
    );
    try {
      const expected = (tag: number) => Array.from({ length: 50 }, (_, at) => [tag, at + 1]);
      const asked = Array.from({ length: 50 }, async (_, at) => {
        const engine = engineNames[at % 3] ?? 'sqlite';
        const tag = 1_000 + at;
        const args = { connection: connectionNames[engine], sql: tagged[engine](tag) };
        const result = await clients[at % clients.length]?.call('execute_query', args);
        return { engine, text: result?.content?.[0]?.text, rows: result?.structuredContent?.rows, tag };
      });
      for (const { rows, tag, text } of await Promise.all(asked)) {
        expect({ rows, text: rows === undefined ? text : '' }).toEqual({ rows: expected(tag), text: '' });
      }
    } finally {
      await Promise.all(clients.map(client => client.close()));
    }
  }, 60_000);

  test.each(engineNames)(
    '%s: statements given up at any moment leave no wrong row, session or file behind',
    async engine => {
      const openFiles = () => readdirSync(`/proc/${three.daemonPid}/fd`).length;
      const own = await Promise.all([three.mint(), three.mint(), three.mint()]);
      const before = openFiles();
      for (let round = 0; round < 40; round++) {
        // Two of one token at once; one is given up after 0 to 39 ms: before, during and after its
        // answer.
        const { token: asker = '' } = own[round % own.length] ?? {};
        const sql = tagged[engine](round);
        const args = { connection: connectionNames[engine], sql };
        const { headers = {}, body = '' } = modern(asker, 'tools/call', { name: 'execute_query', arguments: args });
        const givenUp = request(three.url, { method: 'POST', headers, agent: false }, answer => answer.resume());
        givenUp.on('error', () => {});
        givenUp.end(body);
        const [kept] = await Promise.all([
          three.query(asker, engine, tagged[engine](1_000 + round)),
          new Promise(resolve => setTimeout(resolve, round)).then(() => givenUp.destroy()),
        ]);
        expect(kept.structuredContent?.rows?.map(row => row[0])).toEqual(
          Array.from({ length: 50 }, () => 1_000 + round),
        );
      }
      await until(async () => (await three.running(engine)).length === 0, 'nothing is left', 5);
      // Pooled sessions and children stay open, at most eight of each.
      await until(() => openFiles() <= before + 40, 'the sockets are closed', 10);
      expect(childrenOf(three.daemonPid).length).toBeLessThanOrEqual(9);
    },
    60_000,
  );

  test('thirty slow statements on all engines at once, all given up: all stop', async () => {
    const slow: Readonly<Record<EngineName, string>> = {
      postgres: 'select pg_sleep(60)',
      mysql: 'select sleep(60)',
      sqlite: 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
    };
    const bridges = Array.from({ length: 5 }, () => three.home.bridge());
    for (const bridge of bridges) {
      for (let id = 0; id < 6; id++) {
        const engine = engineNames[id % 3] ?? 'sqlite';
        const args = { connection: connectionNames[engine], sql: slow[engine], timeout_seconds: 120 };
        bridge.send(modernLine(id, 'tools/call', { name: 'execute_query', arguments: args }));
      }
    }
    for (const engine of engineNames) {
      await until(async () => (await three.running(engine)).length > 0, `${engine} is busy`);
    }
    for (const bridge of bridges) bridge.child.kill('SIGKILL');
    for (const engine of engineNames) {
      await until(async () => (await three.running(engine)).length === 0, `${engine} has nothing left`, 5);
    }
    const { token: after } = await three.mint();
    for (const engine of engineNames) {
      expect((await three.query(after, engine, 'select 1')).structuredContent?.rows).toEqual([[1]]);
    }
  }, 60_000);
});

/** A child may end between the list and the look. */
function peakWhereItLives(pid: number): number[] {
  try {
    return [Math.round(memoryOf(pid).peak)];
  } catch {
    return [];
  }
}
