/**
 * Decides before a write's COMMIT whether its changed rows may stay (spec §7, Destructive by
 * count), and words the refusal.
 */

import type { RunGuard } from '../engines/count/count-request.ts';
import type { HeldDefinition, RowCounts, StatementOutcome, StatementRequest } from '../engines/engine.ts';
import { english, type Reason } from '../guard/reason.ts';
import { isHidden } from '../guard/sight.ts';
import type { Classification } from '../guard/types.ts';
import { type Refusal, toolError } from '../refusal.ts';
import type { Call } from './call.ts';
import type { QueryLimits } from './query-limits.ts';
import type { QuotaHolder, RowQuota } from './row-quota.ts';

interface WriteCheckPorts {
  readonly rowQuota: RowQuota;
  readonly limits: () => QueryLimits;
}

export interface WriteCheck {
  readonly mayRun?: StatementRequest['mayRun'];
  readonly mayCommit?: StatementRequest['mayCommit'];
  /** For a definition (`HeldDefinition`). */
  readonly definition?: Pick<HeldDefinition, 'mayStay' | 'waits'>;
  /** Frees what was reserved if the write was not committed. */
  ended(outcome: StatementOutcome): void;
  /** Null if this check didn't cause the outcome. */
  refusalOf(outcome: StatementOutcome): Refusal | null;
}

type Asking = Pick<Call, 'resolved' | 'origin'>;

export function writeCheck(
  ports: WriteCheckPorts,
  asking: Asking,
  { isDml }: Pick<Classification, 'isDml'>,
): WriteCheck & { mayCommit(changes: RowCounts): Promise<boolean> } {
  let why: string | null = null;
  let defined: readonly Reason[] = [];
  let isUnkept = false;
  let isOver = false;
  let giveBack = (): void => {};
  return {
    definition: {
      waits: false,
      mayStay(reasons) {
        defined = reasons;
        return reasons.length === 0;
      },
    },
    async mayCommit(changes) {
      const reservation = await ports.rowQuota.reserve(holderOf(asking), changes, mostOf(ports, asking));
      if (reservation.kind === 'refused') why = changesHidden(asking, changes) ? unnamed : reservation.why;
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
      if (defined.length > 0 && outcome.kind === 'not_committed')
        return { kind: 'needs_yes', because: 'statement', told: defined.map(english), canBePreviewed: false };
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

/** Code that a person shows may change a table that its client must not meet. */
function changesHidden({ resolved }: Asking, { tables, added = [] }: RowCounts): boolean {
  const { sight } = resolved.connection;
  if (sight === undefined) return false;
  return [...tables, ...added].some(({ table }) => {
    const point = table.indexOf('.');
    return isHidden(sight, point < 0 ? null : table.slice(0, point), table.slice(point + 1));
  });
}

const unnamed = 'it changes too many rows, also of what this connection keeps out of sight';

/** The check of an approved statement: the approval covers what was shown. */
export function confirmed(guard: RunGuard): WriteCheck {
  const { mayRun, mayCommit, mayDefine } = guard;
  return {
    definition: { waits: true, mayStay: mayDefine ?? (() => true) },
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
export function refusalAtCommit(ports: WriteCheckPorts, asking: Asking, changes: RowCounts): string | null {
  const why = ports.rowQuota.refusal(holderOf(asking), changes, mostOf(ports, asking));
  return why === null ? null : `execute_query would refuse it: ${why}.`;
}

const unkept = toolError(
  'denied',
  "Nothing was changed, because how many rows that was must be kept first and Sallyport's store can't be written. Tell the user; reading still works.",
);

function holderOf({ resolved, origin }: Asking): QuotaHolder {
  return { account: origin.account, connectionId: resolved.connection.id };
}

/** The connection's limit at the commit: it may have been lowered while the statement ran. */
function mostOf({ limits }: WriteCheckPorts, { resolved: { connection }, origin }: Asking): number {
  const now = origin.access?.connectionNow(connection.id) ?? connection;
  return now.writeRowLimit ?? limits().writeRows;
}
