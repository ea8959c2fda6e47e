/**
 * A database server restarts, hangs or is away: meanwhile the others, start-up and the lists
 * answer, and it is found again later.
 */

import { beforeAll, expect, test } from '@jest/globals';
import { modern } from '../../bridge/bridge-process.ts';
import { expectWithin } from '../../waiting/limits.ts';
import { until } from '../../waiting/until.ts';
import { everyClient } from '../clients/every-client.ts';
import { connectionNames, describeWithThreeEngines, type ToolResult } from './three-engines.ts';

describeWithThreeEngines(
  'a server in trouble',
  three => {
    let token: string;
    beforeAll(async () => {
      token = (await three.mint()).token;
    }, 60_000);

    const one = [[1]];
    const rowsOf = ({ structuredContent, content }: ToolResult) => structuredContent?.rows ?? content?.[0]?.text;
    const servers = ['postgres', 'mysql'] as const;
    const serverOf = (engine: (typeof servers)[number]) => (engine === 'postgres' ? three.postgres : three.mariadb);

    test.each(servers)(
      '%s restarts between two calls: the second answers, through each client',
      async engine => {
        const args = { connection: connectionNames[engine], sql: 'select 1' };
        const clients = await Promise.all(
          ['SDK v2 pinned, bridge', 'SDK v1, bridge', 'SDK v2 pinned, HTTP', 'SDK v1, HTTP'].map(async kind => {
            const client = await everyClient[kind]?.({ home: three.home, url: three.url, token });
            if (client === undefined) throw new Error(kind);
            return client;
          }),
        );
        try {
          // In parallel, so several pooled sessions die.
          const before = await Promise.all(clients.map(client => client.call('execute_query', args)));
          expect(before.map(rowsOf)).toEqual(clients.map(() => one));
          await serverOf(engine).restart();
          const after = await Promise.all(clients.map(client => client.call('execute_query', args)));
          expect(after.map(rowsOf)).toEqual(clients.map(() => one));
        } finally {
          await Promise.all(clients.map(client => client.close()));
        }
      },
      60_000,
    );

    test.each(servers)(
      '%s hangs: everything else answers, and it answers again when it continues',
      async engine => {
        const others = (['postgres', 'mysql', 'sqlite'] as const).filter(other => other !== engine);
        serverOf(engine).pause();
        try {
          const hanging = three.query(token, engine, 'select 1', { timeout_seconds: 2 });
          const start = performance.now();
          for (const other of others) {
            expect(rowsOf(await three.query(token, other, 'select 1'))).toEqual(one);
          }
          const bridge = three.home.bridge();
          expect((await bridge.ask(modern(1, 'server/discover'))).error).toBeUndefined();
          expect((await bridge.ask(modern(2, 'tools/list'))).error).toBeUndefined();
          const listed = await bridge.ask(modern(3, 'tools/call', { name: 'list_connections', arguments: {} }));
          expect(JSON.stringify(listed.result)).toContain(connectionNames[engine]);
          expect((await three.here(['status'])).code).toBe(0);
          expect((await three.here(['connections', 'list'])).code).toBe(0);
          expectWithin(start, 5_000);
          const result = await hanging;
          expect(result.isError).toBe(true);
          expect(result.content?.[0]?.text).toMatch(/^(timeout|not_connected): /);
        } finally {
          serverOf(engine).resume();
        }
        expect(rowsOf(await three.query(token, engine, 'select 1'))).toEqual(one);
        await until(async () => (await three.running(engine)).length === 0, 'nothing is left of it', 5);
      },
      60_000,
    );

    test('the daemon starts, and answers the lists, while both servers hang', async () => {
      three.postgres.pause();
      three.mariadb.pause();
      try {
        expect((await three.run(['stop'])).code).toBe(0);
        const start = performance.now();
        const bridge = three.home.bridge();
        const listed = await bridge.ask(modern(1, 'tools/call', { name: 'list_connections', arguments: {} }));
        expect(JSON.stringify(listed.result)).toContain('Maria');
        const args = { connection: 'File', sql: 'select 1' };
        const read = await bridge.ask(modern(2, 'tools/call', { name: 'execute_query', arguments: args }));
        expect(read.result).toMatchObject({ structuredContent: { rows: one } });
        expectWithin(start, 8_000);
      } finally {
        three.postgres.resume();
        three.mariadb.resume();
      }
    }, 60_000);

    test('an unreachable server is reported, in one sentence without its password', async () => {
      await three.postgres.stop();
      const bridge = three.home.bridge();
      const args = { connection: 'Pg', sql: 'select 1' };
      const { result } = await bridge.ask(modern(1, 'tools/call', { name: 'execute_query', arguments: args }));
      const text = JSON.stringify(result);
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^not_connected: "Pg" /) }],
      });
      expect(text).not.toContain(three.postgres.password);
      // Where a server is, its person knows.
      expect(text).not.toContain(three.postgres.host);
      expect(text).not.toContain(String(three.postgres.port));
      expect(text).toMatch(/Call again later, or ask the user to look at the connection\./);
    }, 60_000);
  },
  { servers: 'own' },
);
