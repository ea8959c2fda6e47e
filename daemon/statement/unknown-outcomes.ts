/**
 * Writes whose COMMIT nobody saw end (spec §7, How a write ends): remembers each from before its
 * COMMIT, asks its server when the connection is used again, and says what that answered: to the
 * activity log, to the history, and once to the client. Repeats nothing.
 */

import type { ActivityLog, Attempt } from '../activity.ts';
import type { CommitFate, CommitTrace } from '../engines/engine.ts';
import type { Call } from './call.ts';
import type { StatementHistory } from './history.ts';

/** A write from before its COMMIT is sent until its end is known. */
export interface SentCommit {
  readonly attempt: Attempt;
  /** Whose it is, with `attempt.intent.client`. */
  readonly account: string;
  /** Wall clock, milliseconds since 1970. */
  readonly sentAt: number;
  readonly trace: CommitTrace;
}

interface UnknownOutcomePorts {
  /** What an earlier run left. */
  readonly left: readonly (SentCommit & { readonly settled: () => void })[];
  /** Keeps it over a kill. @returns a function to call once its end is known. */
  readonly keep: (commit: SentCommit) => () => void;
  readonly activity: Pick<ActivityLog, 'outcome'>;
  readonly history: Pick<StatementHistory, 'settle'>;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

/** What a client is told of an earlier write of its own. */
export interface LaterOutcome extends Pick<SentCommit, 'sentAt'> {
  readonly tool: string;
  readonly fate: Exclude<CommitFate, 'untold'>;
}

export interface UnknownOutcomes {
  /** @returns a function to call at its end: true if nobody saw how it ended. */
  sent(commit: Omit<SentCommit, 'sentAt'>): (isUnknown: boolean) => void;
  /**
   * Call it before a statement of the connection runs: what the statement then reads is not older.
   * Never rejects; takes a few seconds at most.
   */
  look(call: Call): Promise<LaterOutcomes>;
}

export interface LaterOutcomes {
  readonly outcomes: readonly LaterOutcome[];
  /** Call it once the client has been told. */
  told(): void;
}

/** The oldest are dropped: nobody looks after so many. */
const mostKept = 200;
/** Servers forget a transaction's number some day. */
const longestMilliseconds = 7 * 86_400_000;
const askSeconds = 3;

interface Kept extends SentCommit {
  readonly settled: () => void;
  isUnknown: boolean;
  /** What is to be told to its client; null while the server hasn't answered. */
  fate: LaterOutcome['fate'] | null;
}

const results = {
  done: { outcome: 'success', reason: 'asked later, the server says that it was committed' },
  not_done: { outcome: 'error', reason: 'asked later, the server says that it was not committed' },
} as const;

export function unknownOutcomes({ left, keep, activity, history, now }: UnknownOutcomePorts): UnknownOutcomes {
  /** Oldest first. */
  const kept = new Set<Kept>(left.map(commit => ({ ...commit, isUnknown: true, fate: null })));

  function forget(commit: Kept): void {
    kept.delete(commit);
    commit.settled();
  }

  function sweep(): void {
    for (const commit of kept) if (kept.size > mostKept || now() - commit.sentAt > longestMilliseconds) forget(commit);
  }

  /** @returns false if its server gave no answer. */
  async function ask({ database, context }: Call, commit: Kept): Promise<boolean> {
    const { timeoutSeconds } = context;
    const told = await database
      .fateOf?.(
        { ...context, database: null, schema: null, timeoutSeconds: Math.min(timeoutSeconds, askSeconds) },
        commit.trace,
      )
      .catch(() => null);
    if (told?.kind !== 'done') return told?.kind === 'query_failed';
    if (!kept.has(commit) || isEnded(commit)) return true;
    const { value: fate } = told;
    if (fate === 'untold') forget(commit);
    else commit.fate = fate;
    if (fate !== 'done' && fate !== 'not_done') return true;
    // Only its client's next call is left.
    commit.settled();
    await activity.outcome(commit.attempt, results[fate]);
    await history.settle(commit.attempt.number, fate === 'done' ? 'success' : 'rolled_back');
    return true;
  }

  return {
    sent(commit) {
      sweep();
      const sentAt = now();
      const whole = { ...commit, sentAt };
      const one: Kept = { ...whole, settled: keep(whole), isUnknown: false, fate: null };
      kept.add(one);
      return isUnknown => {
        if (isUnknown) one.isUnknown = true;
        else forget(one);
      };
    },

    async look(call) {
      if (kept.size === 0) return nothing;
      sweep();
      const { origin, context, resolved } = call;
      const here = [...kept].filter(
        ({ attempt, isUnknown }) => isUnknown && attempt.intent.connection?.id === resolved.connection.id,
      );
      // A server that is silent takes the call's time once.
      for (const commit of here) if (!isEnded(commit) && !(await ask(call, commit))) break;
      const own = here.filter(
        ({ account, attempt, fate }) =>
          fate !== null && account === origin.account && attempt.intent.client === context.client,
      );
      return {
        outcomes: own.flatMap(({ attempt, sentAt, fate }) =>
          fate === null ? [] : [{ tool: attempt.intent.action, sentAt, fate }],
        ),
        told() {
          for (const commit of own) if (isEnded(commit)) kept.delete(commit);
        },
      };
    },
  };
}

const nothing: LaterOutcomes = { outcomes: [], told() {} };

function isEnded({ fate }: Pick<Kept, 'fate'>): boolean {
  return fate === 'done' || fate === 'not_done';
}
