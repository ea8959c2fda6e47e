/**
 * Threat: clients make everybody wait with statements that take long to classify. Meanwhile another
 * client's statements, known and new, go on, and so does `sallyport status`. Each hostile statement
 * is answered and recorded.
 */

import { afterAll, beforeAll, expect } from '@jest/globals';
import type { ActivityRowView } from '../../shared/control-commands.ts';
import {
  type EngineName,
  engineNames,
  memoryOf,
  startThreeEngines,
  type ThreeEngines,
  threeEnginesUnavailable,
} from '../journeys/databases/three-engines.ts';
import { needs } from '../needs.ts';
import { here } from '../waiting/limits.ts';

const missing = threeEnginesUnavailable();

let home: ThreeEngines;
beforeAll(async () => {
  if (missing === null) home = await startThreeEngines();
}, 120_000);
afterAll(() => home?.stop(), 60_000);

const hostile: readonly (readonly [EngineName, string])[] = [
  ['postgres', `SELECT E'\\n'${' --'.repeat(24)}`],
  ['sqlite', `select * ${'into,'.repeat(19_800)}`],
  ['postgres', `select 1${'+-'.repeat(49_000)}`],
  ['mysql', `select 1${'+1'.repeat(1_000)}`],
  ['mysql', `select 1 where 1 in (${'1,'.repeat(49_000)}1)`],
  ['mysql', `with a as (select 1) select ${'cast( having / '.repeat(25)}`],
];
const attackers = 3;
/** About two rounds of each attacker's statements. */
const attackMilliseconds = 3_000;
/** A gate that classified in its serving thread stood still for minutes. */
const patienceMilliseconds = 5_000;

needs(missing).test(
  'other clients and the owner are answered beside statements that take long to classify',
  async () => {
    const honest = await home.mint();
    const tokens = await Promise.all(Array.from({ length: attackers }, () => home.mint()));
    for (const engine of engineNames) await answered(honest.token, engine, 'select 1');
    const until = performance.now() + attackMilliseconds;
    const sent = new Map<string, number>();
    const attacks = tokens.flatMap(({ token, id }, number) =>
      hostile.map(async ([engine, sql], first) => {
        for (let round = 0; performance.now() < until; round++) {
          // Each has another text, so none is remembered.
          const text = `${sql} -- ${number} ${first} ${round}`;
          sent.set(id, (sent.get(id) ?? 0) + 1);
          const { structuredContent, content } = await home.query(token, engine, text);
          if (structuredContent === undefined)
            expect(content?.[0]?.text).toMatch(/^(unsupported|query_failed|timeout): /);
        }
      }),
    );

    const waits = { known: [] as number[], unknown: [] as number[], status: [] as number[] };
    let peak = 0;
    const timed = async (into: number[], work: () => Promise<unknown>): Promise<void> => {
      const began = performance.now();
      await work();
      into.push(performance.now() - began);
      peak = Math.max(peak, memoryOf(home.daemonPid).now);
    };
    for (let round = 0; performance.now() < until; round++) {
      const engine = engineNames[round % engineNames.length] ?? 'sqlite';
      await timed(waits.known, async () => {
        await answered(honest.token, engine, 'select 1');
      });
      await timed(waits.unknown, async () => {
        await answered(honest.token, engine, `select ${round}, 'new'`);
      });
      if (round % 10 === 0) await timed(waits.status, () => home.run(['status', '--json']));
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    await Promise.all(attacks);
    if (process.env.SALLYPORT_TEST_PRINT) {
      const shown = (all: number[]) => {
        const sorted = all.toSorted((one, other) => one - other).map(Math.round);
        return `${sorted.length}: median ${sorted[sorted.length >> 1]}, worst ${sorted.slice(-4).join(' ')}`;
      };
      process.stderr.write(
        `known ${shown(waits.known)}\nunknown ${shown(waits.unknown)}\nstatus ${shown(waits.status)}\n`,
      );
      const { peak: most } = memoryOf(home.daemonPid);
      process.stderr.write(
        `resident ${Math.round(peak)} MB, most ${Math.round(most)} MB, hostile ${[...sent.values()].join(' ')}\n`,
      );
    }
    expect(Math.max(...waits.known, ...waits.unknown, ...waits.status)).toBeLessThan(here(patienceMilliseconds));

    const rows = await recorded();
    for (const [id, count] of sent) {
      expect(rows.filter(row => row.principal === id && row.action === 'execute_query')).toHaveLength(count);
    }
  },
  120_000,
);

async function answered(token: string, engine: EngineName, sql: string): Promise<void> {
  const { content, structuredContent } = await home.query(token, engine, sql);
  if ((structuredContent?.rows as unknown[] | undefined)?.length !== 1)
    throw new Error(`${engine} on ${sql}: ${content?.[0]?.text}`);
}

async function recorded(): Promise<readonly ActivityRowView[]> {
  const { stdout } = await home.run(['activity', '--since', '10m', '--category', 'query', '--json']);
  return JSON.parse(stdout);
}
