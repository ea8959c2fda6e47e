/**
 * Counts by running a data change and rolling it back (spec §12). Waits 200 ms for a lock and ends
 * after 2 s.
 */

import { english } from '../../guard/reason.ts';
import type { RowEffects } from '../../guard/types.ts';
import { answering, valueOrThrow } from '../answering.ts';
import type {
  Answer,
  CallContext,
  Database,
  DatabaseFailure,
  HeldDefinition,
  Parameter,
  Rehearsal,
  RehearsalStep,
  RowCounts,
  WithDatabase,
} from '../engine.ts';
import { maxWireBytes } from '../engine.ts';
import type { Plan, Planning } from '../preview-plan.ts';
import { cellsOf } from '../row-text.ts';
import { type CountRequest, namedIn } from './count-request.ts';
import { notCounted, type Taken, takenByChanges, uncountedBecause } from './taken.ts';

export type Trial =
  | { readonly kind: 'counted'; readonly changes: RowCounts }
  /** A sentence on why there are no figures. */
  | { readonly kind: 'not_counted'; readonly why: string };

/**
 * Call it within `answering`.
 * @returns the plan's figures if the plan forbids a trial; else null.
 */
export function toldByPlan({ database, ...counting }: WithDatabase<CountRequest>): Promise<Trial | null> {
  return toldBy(counting, planning => database.planPreview(counting.classifier, planning));
}

/** The same in what a step takes. Also null if its table may come of a step that was not tried. */
export async function toldInstead(
  counting: CountRequest,
  plan: (planning: Planning) => Promise<Plan>,
): Promise<Taken | null> {
  const told = await answering(() => toldBy(counting, plan));
  if (told.kind === 'query_failed') return null;
  const trial = valueOrThrow(told);
  if (trial === null) return null;
  return trial.kind === 'counted' ? takenByChanges(trial.changes, namedIn(counting)) : notCounted(trial.why);
}

async function toldBy(
  { context, sql, classified, sparesNumbers }: CountRequest,
  plan: (planning: Planning) => Promise<Plan>,
): Promise<Trial | null> {
  const { classification, run: { rowEffects } = {} } = classified;
  const planned = await answering(() => plan({ context, classification, rowEffects, sql }));
  if (planned.kind === 'unsupported') return { kind: 'not_counted', why: planned.message };
  const { usesNumbers, onlyAdds } = valueOrThrow(planned);
  if (!sparesNumbers || usesNumbers !== true) return null;
  if (onlyAdds === true) return { kind: 'counted', changes: { tables: [], uncounted: null } };
  return { kind: 'not_counted', why: uncountedBecause(numbersUsed) };
}

export const numbersUsed = 'a trial would use up numbers that new rows get from a sequence or AUTO_INCREMENT';
export const othersLock = 'another session holds a lock on them';
export const othersWait = 'a trial would have kept others waiting';

interface Tried {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly rowEffects?: RowEffects | undefined;
  readonly defines?: HeldDefinition['names'] | undefined;
  /** Beyond so many planned rows the statement isn't tried. */
  readonly mostPlanned?: number;
}

/** For a trial, and for the reads that replace one. */
export const mostSeconds = 2;

/** @returns a failure if the statement itself fails: then there is nothing to approve. */
export async function tryOut(
  database: Database,
  context: CallContext,
  { sql, parameters, rowEffects, defines, mostPlanned }: Tried,
): Promise<Answer<Trial>> {
  const seconds = Math.min(mostSeconds, context.timeoutSeconds);
  const step = {
    sql,
    parameters,
    ours: false,
    limits: { cellBytes: 256, wireBytes: maxWireBytes },
    ...(rowEffects !== undefined && { rowEffects }),
    ...(defines !== undefined && { defines }),
  };
  const answer = await database.rehearse({ ...context, timeoutSeconds: seconds, givesWay: true }, async rehearsal => {
    const planned =
      mostPlanned === undefined
        ? 0
        : await plannedRows(rehearsal, { ...step, sql: `EXPLAIN FORMAT=TRADITIONAL ${sql}`, ours: true });
    if (typeof planned !== 'number') return planned;
    if (mostPlanned !== undefined && planned > mostPlanned) return tooMany(planned, mostPlanned);
    const outcome = await rehearsal.run(step, { columns() {}, row: () => true });
    return outcome.kind === 'done' ? rehearsal.rowCounts() : outcome;
  });
  const ended = answer.kind === 'done' ? answer.value : answer;
  switch (ended.kind) {
    case 'done':
      return { kind: 'done', value: { kind: 'counted', changes: ended.value } };
    case 'timeout':
      return uncounted(`a trial took longer than ${seconds} s`);
    case 'locked':
      return uncounted(othersLock);
    case 'cancelled':
      return context.signal.aborted ? ended : uncounted(othersWait);
    case 'unsupported':
      return { kind: 'done', value: { kind: 'not_counted', why: ended.message } };
    case 'not_committed':
      return { kind: 'done', value: { kind: 'not_counted', why: (ended.reasons ?? []).map(english).join(' ') } };
    case 'query_failed':
      switch (database.dialect.meaning(ended)) {
        case 'conflict':
        case 'interrupted':
          return uncounted('another session changed them meanwhile');
        default:
          return ended;
      }
    default:
      return ended;
  }
}

const counted = (rows: number): string => rows.toLocaleString('en-US');

function tooMany(planned: number, most: number): DatabaseFailure {
  const message = uncountedBecause(
    `its plan looks at about ${counted(planned)} rows, and a trial may at ${counted(most)}`,
  );
  return { kind: 'unsupported', message };
}

/** The most rows that one step of its plan reads. */
async function plannedRows(rehearsal: Rehearsal, step: RehearsalStep): Promise<number | DatabaseFailure> {
  let place = -1;
  let most = 0;
  const outcome = await rehearsal.run(step, {
    columns(columns) {
      place = columns.findIndex(({ name }) => name === 'rows');
    },
    row(row) {
      most = Math.max(most, Number(cellsOf(row)[place] ?? 0));
      return true;
    },
  });
  if (outcome.kind !== 'done') return outcome;
  return place < 0 ? Number.POSITIVE_INFINITY : most;
}

function uncounted(because: string): Answer<Trial> {
  return { kind: 'done', value: { kind: 'not_counted', why: uncountedBecause(because) } };
}
