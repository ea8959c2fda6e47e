/**
 * Where in a statement the walk is: whether what it meets there runs, and which names hide tables.
 */

import { type Fields, fieldsOf, listOf, taggedNode, textOf } from './tree.ts';

/**
 * - `runs`: it runs with the statement.
 * - `stored`: it is in a view, a default or a body that others run later. What is forbidden counts,
 *   and what its functions do.
 * - `planned`: a plain EXPLAIN plans it. What it would do itself isn't done, but what it calls may
 *   be called.
 */
type Mode = 'runs' | 'stored' | 'planned';

/**
 * The common table expressions of one WITH that may be named at a place, with those of the WITHs
 * around it.
 */
interface Scope {
  /** For each name, its first place in the WITH. */
  readonly names: ReadonlyMap<string, number>;
  /** The expressions before this index may be named here. */
  readonly visible: number;
  readonly outer: Scope | null;
  /** How many WITHs are around the place, including this one. */
  readonly nesting: number;
}

export interface Place {
  readonly mode: Mode;
  /**
   * True in a query or data change, where a relation is read or changed. Elsewhere it is only named
   * (`DROP TABLE t`).
   */
  readonly isQuery: boolean;
  /** True in the query of a view that the statement makes. */
  readonly inView: boolean;
  /** True for the relation that a data change changes. */
  readonly isTarget: boolean;
  readonly scope: Scope | null;
}

export interface Visit {
  readonly value: unknown;
  readonly place: Place;
}

export const topLevel: Place = {
  mode: 'runs',
  isQuery: false,
  inView: false,
  isTarget: false,
  scope: null,
};

export function isCommonTable(name: string, { scope }: Place): boolean {
  for (let entry = scope; entry !== null; entry = entry.outer) {
    if ((entry.names.get(name) ?? entry.visible) < entry.visible) return true;
  }
  return false;
}

/** A table's name is looked for in every WITH around it. Nobody nests this many. */
const mostNested = 64;

/**
 * The expressions of a WITH, each with the names that it sees, and the place for the statement that
 * they belong to. Null if too many are nested.
 */
export function enterCommonTables(
  clause: Fields,
  place: Place,
): { readonly visits: Visit[]; readonly inside: Place } | null {
  const outer = place.scope;
  const nesting = (outer?.nesting ?? 0) + 1;
  if (nesting > mostNested) return null;
  const expressions = listOf(clause.ctes).map(item => fieldsOf(taggedNode(item)?.fields));
  const names = new Map<string, number>();
  for (const [index, { ctename }] of expressions.entries()) {
    if (!names.has(textOf(ctename))) names.set(textOf(ctename), index);
  }
  const seeing = (visible: number): Place => ({ ...place, scope: { names, visible, outer, nesting } });
  const inside = seeing(expressions.length);
  const visits = expressions.map((value, index) => ({
    value,
    place: clause.recursive === true ? inside : seeing(index),
  }));
  return { visits, inside };
}
