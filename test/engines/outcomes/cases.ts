/**
 * A table of writes that end badly: what is said about each, and what the database holds
 * afterwards.
 */

import { expect, test } from '@jest/globals';
import type { Database, DatabaseFailure, Session } from '../../../daemon/engines/engine.ts';
import { collect } from '../collecting-sink.ts';

export interface Case<World> {
  readonly name: string;
  readonly sql: string;
  /** `write` if left out. */
  readonly session?: Session;
  /** 20 if left out. */
  readonly timeoutSeconds?: number;
  /** Runs before the statement is sent. */
  readonly before?: (world: World) => Promise<void> | void;
  /** Runs once it was sent; `leave` is the client leaving. */
  readonly trouble?: (world: World, leave: () => void, database: Database) => Promise<void>;
  readonly said: DatabaseFailure['kind'] | 'done';
  /** True if some of it is in the database afterwards. */
  readonly stays: boolean;
  /** Found in the message if the database's own error leaves something. */
  readonly words?: RegExp;
}

export interface Bench<World> {
  readonly world: () => World;
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

export function testOutcomes<World>(bench: Bench<World>, cases: readonly Case<World>[]): void {
  test.each(cases.map(one => [one.name, one] as const))(
    '%s',
    async (_, one) => {
      await bench.prepare();
      const database = bench.open();
      try {
        await one.before?.(bench.world());
        const client = new AbortController();
        const { session = 'write', timeoutSeconds = 20 } = one;
        const running = collect(database, one.sql, { session, timeoutSeconds, signal: client.signal });
        const troubled = one.trouble?.(bench.world(), () => client.abort(), database);
        const { outcome } = await running;
        await troubled;
        await database.close();
        const stays = await bench.look();
        expect({ said: outcome.kind, stays }).toEqual({ said: one.said, stays: one.stays });
        if (one.words !== undefined) expect(JSON.stringify(outcome)).toMatch(one.words);
        else if (stays) expect(['outcome_unknown', 'done']).toContain(outcome.kind);
      } finally {
        await database.close();
      }
    },
    90_000,
  );
}
