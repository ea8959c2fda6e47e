/** The torturer's notes of what Sallyport said: after a fault, all of it must be true. */

import { createHash } from 'node:crypto';
import type { Extent } from './invariants/log.ts';
import { Known } from './known.ts';

export type EngineName = 'postgres' | 'mysql' | 'sqlite';
export const engineNames = ['postgres', 'mysql', 'sqlite'] as const;

export interface LedgerToken {
  readonly id: string;
  readonly name: string;
  readonly plaintext: string;
  readonly state: Known<'valid' | 'revoked' | 'gone' | 'uncollected'>;
}

export interface LedgerConnection {
  readonly name: string;
  readonly state: Known<'saved' | 'gone'>;
}

/** `unknown`: no answer, or one that says so. `refused`: it has no effect. */
export type CallOutcome = 'answered' | 'refused' | 'unknown';

export interface LedgerCall {
  readonly kind: 'read' | 'write';
  readonly engine: EngineName;
  /** Part of the statement, and of a write's row. */
  readonly key: string;
  readonly statementHash: string;
  readonly client: string;
  outcome: CallOutcome;
  /** The word of the tool error, or how else it failed. */
  how: string;
  /** `performance.now()` of its end. */
  endedAt: number;
}

export class Ledger {
  readonly tokens = new Map<string, LedgerToken>();
  readonly connections = new Map<string, LedgerConnection>();
  readonly settings = new Map<string, Known<number>>();
  readonly paused = new Known<boolean>(false);
  readonly refusedNames = new Set<string>();
  /** Ids of paired tokens whose code nobody exchanged, with `performance.now()` of the approval. */
  readonly uncollected = new Map<string, number>();
  /** The log's extent at the last check; null before the first. */
  extent: Extent | null = null;
  /** Calls since the last check. */
  calls: LedgerCall[] = [];
  /** Answered exchanges with a wrong code since the last check. */
  failedExchanges = 0;
  /** Faults that were noticed as they happened. */
  readonly wrong: string[] = [];

  begin(kind: LedgerCall['kind'], engine: EngineName, key: string, sql: string, client: string): LedgerCall {
    const statementHash = createHash('sha256').update(sql).digest('hex');
    const call: LedgerCall = {
      ...{ kind, engine, key, statementHash, client },
      ...{ outcome: 'unknown', how: 'no answer', endedAt: Number.POSITIVE_INFINITY },
    };
    this.calls.push(call);
    return call;
  }
}
