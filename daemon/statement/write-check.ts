/**
 * Decides before a write's COMMIT whether its changed rows may stay (spec §7, Destructive by
 * count), and words the refusal.
 */

import type { RunGuard } from '../engines/count/counting.ts';
import type { Changes, StatementOutcome, StatementRequest } from '../engines/engine.ts';
import type { Classification } from '../guard/types.ts';
import { type Refusal, toolError } from '../refusal.ts';
import type { Call } from './call.ts';
import type { ChangedRows, Holder } from './changed-rows.ts';
import type { QueryLimits } from './query-limits.ts';

interface WriteCheckPorts {
  readonly changedRows: ChangedRows;
  readonly limits: () => QueryLimits;
}

export interface WriteCheck {
  readonly mayRun?: StatementRequest['mayRun'];
  readonly mayCommit?: StatementRequest['mayCommit'];
  /** Frees what was reserved if the write was not committed. */
  ended(outcome: StatementOutcome): void;
  /** Null if this check didn't cause the outcome. */
  refusalOf(outcome: StatementOutcome): Refusal | null;
}

type Asking = Pick<Call, 'reached' | 'asker'>;

export function writeCheck(
  ports: WriteCheckPorts,
  asking: Asking,
  { isDml }: Pick<Classification, 'isDml'>,
): WriteCheck & { mayCommit(changes: Changes): Promise<boolean> } {
  let why: string | null = null;
  let isUnkept = false;
  let isOver = false;
  let giveBack = (): void => {};
  return {
    async mayCommit(changes) {
      const reservation = await ports.changedRows.reserve(holderOf(asking), changes, mostOf(ports, asking));
      if (reservation.kind === 'refused') why = reservation.why;
      if (reservation.kind === 'unkept') isUnkept = true;
      if (reservation.kind !== 'reserved') return false;
      // Its time was up, or its client left, while the rows were being stored.
      if (isOver) reservation.giveBack();
      else ({ giveBack } = reservation);
      return !isOver;
    },
    ended({ kind }) {
      isOver = true;
      if (kind !== 'done' && kind !== 'outcome_unknown') giveBack();
    },
    refusalOf(outcome) {
      if (isUnkept && outcome.kind === 'not_committed') return unkept;
      if (why === null) return null;
      if (outcome.kind === 'outcome_unknown' && outcome.isKept === true) {
        const ended = `The statement ended, and not all that it did could be taken back, for ${outcome.reason}`;
        return toolError('outcome_unknown', `${ended}: ${why}. Look before you repeat it.`);
      }
      if (outcome.kind !== 'not_committed') return null;
      const sentences = [`Nothing was changed: ${why}.`, ...outcome.remains];
      return { kind: 'needs_yes', because: 'rows', told: sentences, canBePreviewed: isDml };
    },
  };
}

/** For an approved statement: the approval covers what was shown. */
export function confirmed(guard: RunGuard): WriteCheck {
  const { mayRun, mayCommit } = guard;
  return {
    ...(mayRun !== undefined && { mayRun }),
    ...(mayCommit !== undefined && { mayCommit }),
    ended() {},
    refusalOf: ({ kind }) => (kind === 'not_committed' ? moreThanShown : null),
  };
}

const moreThanShown = toolError('denied', 'Nothing was changed: it would have taken more than the user was shown.');

/**
 * @returns one sentence if `execute_query` would refuse to commit such changes now; null if it
 *   would commit them.
 */
export function refusalAtCommit(ports: WriteCheckPorts, asking: Asking, changes: Changes): string | null {
  const why = ports.changedRows.refusal(holderOf(asking), changes, mostOf(ports, asking));
  return why === null ? null : `execute_query would refuse it: ${why}.`;
}

const unkept = toolError(
  'denied',
  "Nothing was changed, because how many rows that was must be kept first and Sallyport's store can't be written. Tell the user; reading still works.",
);

function holderOf({ reached, asker }: Asking): Holder {
  return { account: asker.account, connectionId: reached.connection.id };
}

/** The connection's limit at the commit: it may have been lowered while the statement ran. */
function mostOf({ limits }: WriteCheckPorts, { reached: { connection }, asker }: Asking): number {
  const now = asker.access?.connectionNow(connection.id) ?? connection;
  return now.writeRowLimit ?? limits().writeRows;
}
