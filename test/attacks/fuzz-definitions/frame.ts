/**
 * Runs definitions through the built guard, each on a copy of a database, and what another account
 * does there before and after: an answer that differs after what nobody was asked about is a
 * finding. `make fuzz-definitions SEED=… MINUTES=…` goes on with other seeds.
 */

import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Database } from '../../../daemon/engines/engine.ts';
import { writingClient } from '../write-as-a-client.ts';

const firstSeed = Number(process.env.FUZZ_DEFINITIONS_SEED ?? 1);
const minutes = Number(process.env.FUZZ_DEFINITIONS_MINUTES ?? 0);
const fewSeeds = 40;

export interface FuzzedEngine {
  /** What the other account sends, in the same way every time. */
  readonly workload: readonly string[];
  /** What a client sends one after the other: a later one may build on an earlier one. */
  readonly definitions: fc.Arbitrary<readonly string[]>;
  /** Each changes an answer of the workload: proves that it looks. */
  readonly noticed: readonly string[];
  readonly honest: readonly string[];
  /** Each asks. */
  readonly asking: readonly string[];
  /** Puts a new copy in the place of the last one. */
  renew(): Promise<void>;
  /** Runs on the copy past the guard. */
  define(sql: string): Promise<unknown>;
  /** What each statement of the workload answers on the copy, which stays as it is. */
  answers(): Promise<readonly string[]>;
  /** The copy, as a client that may write reaches it. */
  open(): Database;
}

/** Call it in a `describe` that has started what the engine needs. */
export function unaskedChangesNothing(engine: FuzzedEngine): void {
  const { workload, definitions, renew, answers } = engine;
  let before: readonly string[] = [];

  beforeAll(async () => {
    await renew();
    before = await answers();
  }, 120_000);
  beforeEach(() => renew(), 60_000);

  /** @returns statements of the other account that answer otherwise than before. */
  const changed = async () => {
    const after = await answers();
    return workload.flatMap((sql, at) => (after[at] === before[at] ? [] : [`${sql}: ${before[at]} -> ${after[at]}`]));
  };

  /** @returns those that ran unasked on a new copy, and how many failed there. */
  async function sent(statements: readonly string[]) {
    const database = engine.open();
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

  test('the other account would notice', async () => {
    expect(workload.length).toBeGreaterThanOrEqual(250);
    // Else a definition may differ from itself.
    expect(await answers()).toEqual(before);
    const unnoticed: string[] = [];
    for (const sql of engine.noticed) {
      await engine.define(sql);
      if ((await changed()).length === 0) unnoticed.push(sql);
      await renew();
    }
    expect(unnoticed).toEqual([]);
  }, 120_000);

  test('honest additions, one after the other', async () => {
    const { ran } = await sent(engine.honest);
    expect(ran.length).toBeGreaterThan(engine.honest.length - 5);
    expect(await changed()).toEqual([]);
  }, 120_000);

  test('attacks', async () => {
    const { ran } = await sent(engine.asking);
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
}
