/** Where in a statement the walk is: whether what it meets there runs, and which names hide tables. */

import { type Fields, fieldsOf, listOf, taggedNode, textOf } from './tree.ts';

/**
 * `runs`: with the statement. `stored`: in a view, a default or a body, run by others later: what it may never do counts,
 * and what its functions do. `planned`: by a plain EXPLAIN, never run.
 */
export type Mode = 'runs' | 'stored' | 'planned';

/** Names of common table expressions, innermost first. */
interface Scope {
  readonly name: string;
  readonly outer: Scope | null;
}

export interface Place {
  readonly mode: Mode;
  readonly scope: Scope | null;
}

export interface Visit {
  readonly value: unknown;
  readonly place: Place;
}

export const top: Place = { mode: 'runs', scope: null };

export function isCommonTable(name: string, { scope }: Place): boolean {
  for (let entry = scope; entry !== null; entry = entry.outer) if (entry.name === name) return true;
  return false;
}

/** The expressions of a WITH, each with the names it sees, and the place in which the statement they belong to is read. */
export function enterCommonTables(clause: Fields, place: Place): { readonly visits: Visit[]; readonly inside: Place } {
  const expressions = listOf(clause.ctes).map(item => fieldsOf(taggedNode(item)?.fields));
  let scope = place.scope;
  const extended = expressions.reduce<Scope | null>((outer, { ctename }) => ({ name: textOf(ctename), outer }), scope);
  const visits = expressions.map(expression => {
    const seen = clause.recursive === true ? extended : scope;
    scope = { name: textOf(expression.ctename), outer: scope };
    return { value: expression, place: { ...place, scope: seen } };
  });
  return { visits, inside: { ...place, scope: extended } };
}
