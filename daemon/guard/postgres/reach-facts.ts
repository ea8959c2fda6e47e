/** What a text names, and what the catalog says of it, as plain data. */

import type { QualifiedName } from '../types.ts';
import type { ColumnReads } from './column-reads.ts';

export interface ReachText {
  /** `expression`: as in a select list. `routine`: as `pg_get_functiondef` prints it. */
  readonly kind: 'statements' | 'expression' | 'routine';
  readonly text: string;
  /** Of a routine. */
  readonly language?: string;
}

export interface SoughtByReach extends QualifiedName {
  /** Bytes before it in its text; null if the server tells no place. */
  readonly at: number | null;
  /** Of a call: the types of its arguments, as far as constants tell. */
  readonly constants?: readonly string[];
}

export interface Reach {
  readonly relations: readonly SoughtByReach[];
  readonly functions: readonly SoughtByReach[];
  readonly types: readonly SoughtByReach[];
  /** Names that it gives. */
  readonly creates: readonly SoughtByReach[];
  readonly operators: readonly string[];
  readonly attributes: readonly string[];
  /** True if it changes more than nothing. */
  readonly changes: boolean;
  /** True if it truncates what refers to its tables, too. */
  readonly truncates: boolean;
  /** True for constants alone, as in `SELECT 1`: nothing is to be asked. */
  readonly isConstant: boolean;
  /** A plan names tables behind views that are shown; one that runs, also those of foreign keys. */
  readonly explains: 'no' | 'plan' | 'run';
  /** As in `CatalogQuestion`. */
  readonly asTable: boolean;
  /** Null if there are too many to be held against tables in a moment. */
  readonly reads: ColumnReads | null;
  /** What of it can't be held to the tables in sight; null if all can. */
  readonly unjudged: string | null;
}

export const mostReachNames = 2_000;

/** Stands where what can't be judged is named. */
export const ofManyNames = 'a statement of so many names';

/** A relation that a name may mean, or that it reaches as a part, a child or by a cascade. */
export interface ReachedRelation extends QualifiedName {
  readonly schema: string;
  /** Of PostgreSQL itself. */
  readonly isOwn: boolean;
  /** Its parents, and the table whose index or column's sequence it is. */
  readonly above: readonly (QualifiedName & { readonly schema: string })[];
  /** The places of the names in the question that reach it. */
  readonly from: readonly number[];
  readonly view: string | null;
  /** Rules as the catalog prints them, if something is changed. */
  readonly rules: readonly string[];
  /** Defaults, if something is changed. */
  readonly expressions: readonly string[];
  /** Of its row-security policies, if they were asked for. */
  readonly policies: readonly string[];
  /** In their order, with what a generated one is made of; absent unless they were asked for. */
  readonly columns?: readonly { readonly name: string; readonly generated: string | null }[];
}

export interface ReachedFunction extends QualifiedName {
  readonly schema: string;
  readonly isOwn: boolean;
  readonly language: string;
  readonly ofExtension: boolean;
  readonly immutable: boolean;
  readonly definition: string | null;
  /** True if it sets its own search path. */
  readonly bendsPath: boolean;
  readonly from: readonly number[];
}

export interface ReachAnswer {
  readonly relations: readonly ReachedRelation[];
  readonly functions: readonly ReachedFunction[];
  /** True if a type among the names is a domain over regclass or the like. */
  readonly printsNames: boolean;
  /** Where a bare new name is made. */
  readonly currentSchema: string | null;
}
