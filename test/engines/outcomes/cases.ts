/**
 * A table of writes that end badly: what is said about each, and what the database holds
 * afterwards.
 */

import { expect, test } from '@jest/globals';
import type { Database, DatabaseFailure, SessionKind } from '../../../daemon/engines/engine.ts';
import { collect } from '../collecting-sink.ts';

/** `leave` is the client leaving. */
type Trouble = (leave: () => void, database: Database) => unknown;

interface More {
  /** `write` if left out. */
  readonly session?: SessionKind;
  /** 20 if left out. */
  readonly seconds?: number;
  /** Runs before the statement is sent. */
  readonly before?: () => unknown;
  /** Runs once it was sent. */
  readonly trouble?: Trouble;
  /** What else the outcome has. */
  readonly has?: object;
}

/** `stays`: some of it is in the database afterwards. */
export type Case = readonly [
  name: string,
  sql: string,
  said: DatabaseFailure['kind'] | 'done',
  afterwards: 'gone' | 'stays',
  more?: More,
];

export const leaves: Trouble = leave => leave();
export const closes: Trouble = (_, database) => database.close();

/** @returns what waits until that has come, and then does a trouble. */
export const once =
  (comes: () => Promise<unknown>) =>
  (does: Trouble): Trouble =>
  async (leave, database) => {
    await comes();
    await does(leave, database);
  };

export interface Bench {
  /** A new `Database`, closed after the case. */
  readonly open: () => Database;
  /** Makes the tables anew. */
  readonly prepare: () => Promise<void>;
  /**
   * Waits until nothing of ours runs or is open.
   * @returns whether something of the statement is in the database.
   */
  readonly look: () => Promise<boolean>;
}

export function testOutcomes(bench: Bench, cases: readonly Case[]): void {
  test.each(cases)(
    '%s',
    async (_, sql, said, afterwards, more = {}) => {
      await bench.prepare();
      const database = bench.open();
      try {
        await more.before?.();
        const client = new AbortController();
        const { session = 'write', seconds: timeoutSeconds = 20 } = more;
        const running = collect(database, sql, { session, timeoutSeconds, signal: client.signal });
        const troubled = more.trouble?.(() => client.abort(), database);
        const { outcome } = await running;
        await troubled;
        await database.close();
        const found = (await bench.look()) ? 'stays' : 'gone';
        expect({ said: outcome.kind, found }).toEqual({ said, found: afterwards });
        if (more.has !== undefined) expect(outcome).toMatchObject(more.has);
        else if (found === 'stays') expect(['outcome_unknown', 'done']).toContain(outcome.kind);
      } finally {
        await database.close();
      }
    },
    90_000,
  );
}
