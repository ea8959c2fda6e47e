/** The input of counting and what it gives to a run; shared by the three engines. */

import { english, type Reason } from '../../guard/reason.ts';
import type { ClassifiedRun } from '../classified.ts';
import type { Classifier } from '../classifier.ts';
import type { AskWithin, CallContext, DatabaseFailure, Parameter, Rehearsal, RowCounts } from '../request.ts';
import { exceeds, notCounted, type Taken, takenByChanges, takesNothing } from './taken.ts';

export interface CountRequest {
  readonly classifier: Classifier;
  readonly context: CallContext;
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly classified: ClassifiedRun;
  /**
   * True if a trial must not use up numbers that new rows get: anybody may cause a trial, and no
   * rollback gives numbers back.
   */
  readonly sparesNumbers: boolean;
  /** Rows of one table that a token may change in an hour. */
  readonly mostChanged: number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

/**
 * Holds one run to what was shown before the approval. Only `mayRun` applies to a statement that
 * runs in no transaction.
 */
export interface RunGuard {
  mayRun?(ask: AskWithin): Promise<DatabaseFailure | null>;
  mayCommit?(changes: RowCounts, ask: AskWithin): Promise<boolean>;
  /** For a definition (`HeldDefinition`). */
  mayDefine?(reasons: readonly Reason[]): boolean;
}

/** What an engine finds out about a step within its transaction, beside its changed rows. */
export interface StepCounting {
  /**
   * The step as it is judged behind the steps before it, which may have made or renamed what it
   * names. Fails if it may no longer run. Absent if no step can bring code.
   */
  judge?(counting: CountRequest, rehearsal: Rehearsal): Promise<CountRequest>;
  /** What a trial of it is replaced by; null if it may be tried. Asked behind those before it. */
  insteadOfTrial?(counting: CountRequest, rehearsal: Rehearsal): Promise<Taken | null>;
  /**
   * True if a rollback would leave something of it, or of code behind it; fails if nobody can tell.
   * Absent if it never does.
   */
  outlivesRollback?(counting: CountRequest, rehearsal: Rehearsal): Promise<boolean>;
  /** Tables and objects that it takes as a whole, before it does; null if it takes rows alone. */
  before(counting: CountRequest, rehearsal: Rehearsal): Promise<TakenWhole | null>;
  /** What went that `before` didn't tell of. */
  after(rehearsal: Rehearsal): Promise<Taken>;
}

export interface TakenWhole {
  readonly taken: Taken;
  /** True if code of triggers runs with it. */
  readonly hasTriggers: boolean;
}

export const notCommitted: DatabaseFailure = { kind: 'not_committed', remains: [] };

/** What a refused run would have taken. */
export interface Excess {
  /** @returns false if `taken` is more than was shown, and keeps it. */
  isWithin(taken: Taken): boolean;
  found(): Taken | null;
}

export function excessOver(shown: Taken): Excess {
  let found: Taken | null = null;
  return {
    isWithin(taken) {
      if (!exceeds(taken, shown)) return true;
      found = taken;
      return false;
    },
    found: () => found,
  };
}

/**
 * @returns a function that tells whether the statement names a table, with or without its schema.
 */
export function namedIn({ classified }: Pick<CountRequest, 'classified'>): (table: string) => boolean {
  const named = classified.classification.tables.map(({ schema, name }) =>
    (schema === null ? name : `${schema}.${name}`).toLowerCase(),
  );
  return table => named.some(name => `.${table.toLowerCase()}`.endsWith(`.${name}`));
}

/** @returns a function that tells whether the changed rows are those that were shown. */
export function changesAreShown(counting: CountRequest, excess: Excess): (changes: RowCounts) => Promise<boolean> {
  return async changes => excess.isWithin(takenByChanges(changes, namedIn(counting)));
}

/** @returns a function that tells whether a definition did what was shown, besides adding. */
export function definesWhatIsShown(shown: Taken, excess: Excess): (reasons: readonly Reason[]) => boolean {
  return reasons => {
    const told = reasons.map(english).join(' ');
    return told === '' || shown.notes.includes(told) || excess.isWithin({ ...notCounted(told), isOpen: true });
  };
}

/** Merges what the run found into a new count; the run's figures are the newer ones. */
export function withFound(counted: Taken, found: Taken | null): Taken {
  const { tables, objects, notes, isOpen, added = counted.added } = found ?? takesNothing;
  const isOf = (one: Taken['tables'][number]) => (other: Taken['tables'][number]) =>
    other.name === one.name && other.act === one.act;
  const larger = counted.tables.map(table => {
    const other = tables.find(isOf(table));
    return (other?.rows ?? -1) > (table.rows ?? -1) ? { ...table, ...other, because: table.because } : table;
  });
  const further = tables.filter(table => !counted.tables.some(isOf(table)));
  return {
    tables: [...larger, ...further],
    objects: [...new Map([...counted.objects, ...objects].map(object => [JSON.stringify(object), object])).values()],
    ...(added !== undefined && { added }),
    notes: [...new Set([...counted.notes, ...notes])],
    isOpen: counted.isOpen || isOpen,
  };
}
