/**
 * A long query reports its progress, through the built bridge, to clients of each era and on each
 * engine (spec §9, §15).
 */

import { expect, test } from '@jest/globals';
import { type BridgeProcess, type JsonLine, legacy, modern, pause } from '../../bridge/bridge-process.ts';
import { whileWritten } from '../../engines/sqlite/while-written.ts';
import { until } from '../../waiting/until.ts';
import { connectionNames, describeWithThreeEngines, type EngineName, engineNames } from '../databases/three-engines.ts';

/** Each waits: on the servers for a time, in SQLite for another program that writes to its file. */
const long: Readonly<Record<EngineName, string>> = {
  postgres: 'select pg_sleep(3.5)',
  mysql: 'select sleep(3.5)',
  sqlite: 'select count(*) from first',
};
const endless: Readonly<Record<EngineName, string>> = {
  postgres: 'select pg_sleep(60)',
  mysql: 'select sleep(60)',
  sqlite: 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n',
};
const quick: Readonly<Record<EngineName, string>> = { postgres: 'select 1', mysql: 'select 1', sqlite: 'select 1' };

const eras = {
  '2026-07-28': modern,
  '2025-11-25': legacy,
  '2025-06-18': legacy,
} as const;
const eraNames = Object.keys(eras) as (keyof typeof eras)[];

describeWithThreeEngines('execute_query', engines => {
  async function bridgeOf(era: keyof typeof eras): Promise<BridgeProcess> {
    const bridge = engines.home.bridge();
    if (era === '2026-07-28') return bridge;
    const params = { protocolVersion: era, capabilities: {}, clientInfo: { name: 'older', version: '1' } };
    expect((await bridge.ask(legacy('init', 'initialize', params))).result).toMatchObject({ protocolVersion: era });
    bridge.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return bridge;
  }

  /** Asks; for SQLite, another program writes to its file until `isLong` resolves. */
  async function asking(engine: EngineName, ask: () => void, isLong: () => Promise<void>): Promise<void> {
    if (engine !== 'sqlite') return ask();
    await whileWritten(engines.sqliteFile, async () => {
      ask();
      await isLong();
    });
  }

  const call = (engine: EngineName, sql: string, meta: Record<string, unknown> | undefined) => ({
    name: 'execute_query',
    arguments: { connection: connectionNames[engine], sql, timeout_seconds: 120 },
    ...(meta && { _meta: meta }),
  });

  /** In parallel, since each mostly waits. */
  const overEachEngine = (work: (engine: EngineName) => Promise<void>) => Promise.all(engineNames.map(work));

  test('to clients of each era', () => overEachEngine(toldOn), 90_000);

  async function toldOn(engine: EngineName): Promise<void> {
    const bridges = await Promise.all(eraNames.map(async era => ({ era, bridge: await bridgeOf(era) })));
    const told = (bridge: BridgeProcess) => bridge.lines.filter(line => line.includes('notifications/progress')).length;
    const ask = (): void => {
      for (const { era, bridge } of bridges) {
        const asked = eras[era](1, 'tools/call', call(engine, long[engine], undefined));
        const { params } = asked as unknown as { params: { _meta?: object } };
        const _meta = { ...params._meta, progressToken: `watching ${engine}` };
        bridge.send({ ...asked, params: { ...params, _meta } });
      }
    };
    await asking(engine, ask, () =>
      until(() => bridges.every(({ bridge }) => told(bridge) >= 2), 'each has been told twice that it runs'),
    );
    for (const { era, bridge } of bridges) {
      const { result } = await bridge.answer(1, 60_000);
      expect({ era, result }).toHaveProperty('result.structuredContent.rows.length', 1);
      const lines: JsonLine[] = bridge.lines.map(line => JSON.parse(line));
      const progress = lines.filter(({ method }) => method === 'notifications/progress').map(line => line.params ?? {});
      expect(progress.length).toBeGreaterThanOrEqual(2);
      for (const [at, params] of progress.entries()) {
        expect(params).toMatchObject({
          progressToken: `watching ${engine}`,
          message: expect.stringMatching(/^running for /),
        });
        expect(Number(params.progress)).toBeGreaterThan(Number(progress[at - 1]?.progress ?? 0));
      }
      expect(lines.at(-1)?.id).toBe(1);
    }
  }

  test.each([
    ['list_tables', {}],
    ['describe_table', { tables: ['first', 'nothing'] }],
  ] as const)(
    '%s, while another program locks the file, to a client of each era',
    async (name, args) => {
      const saying = async (era: keyof typeof eras): Promise<void> => {
        const bridge = await bridgeOf(era);
        const { params, ...asked } = eras[era](1, 'tools/call', {
          name,
          arguments: { connection: connectionNames.sqlite, ...args },
        }) as unknown as { params: { _meta?: object } };
        bridge.send({ ...asked, params: { ...params, _meta: { ...params._meta, progressToken: 1 } } });
        const told = () => bridge.lines.filter(line => line.includes('notifications/progress'));
        await until(() => told().length >= 2, 'it has told twice that it reads', 20);
        const values = told().map(line => JSON.parse(line).params);
        for (const [at, { progress, message }] of values.entries()) {
          expect(message).toMatch(/^reading the catalog for /);
          expect(progress).toBeGreaterThan(values[at - 1]?.progress ?? 0);
        }
      };
      await whileWritten(engines.sqliteFile, () => Promise.all(eraNames.map(saying)));
    },
    60_000,
  );

  test('none without a request, none for quick calls, none after the end', async () => {
    await overEachEngine(async engine => {
      const bridge = await bridgeOf('2025-11-25');
      await bridge.ask(legacy(2, 'tools/call', call(engine, quick[engine], { progressToken: 2 })));
      await asking(
        engine,
        () => bridge.send(legacy(1, 'tools/call', call(engine, long[engine], undefined))),
        // Longer than the delay of the first report.
        () => pause(2_000),
      );
      await bridge.answer(1, 60_000);
      expect(bridge.lines.filter(line => line.includes('notifications/progress'))).toEqual([]);
    });
  }, 90_000);

  test('after a cancel it stops, and its statement ends', async () => {
    await overEachEngine(async engine => {
      const bridge = await bridgeOf('2025-06-18');
      bridge.send(legacy(1, 'tools/call', call(engine, endless[engine], { progressToken: 'p' })));
      await bridge.line(({ method }) => method === 'notifications/progress');
      bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      await until(async () => (await engines.running(engine)).length === 0, 'the statement has ended');
      const said = bridge.lines.length;
      // If it continued, it would report again in this time.
      await pause(1_300);
      expect(bridge.lines.length).toBe(said);
      expect((await bridge.ask(legacy(2, 'ping'))).result).toEqual({});
    });
  }, 90_000);
});
