/**
 * What SQLite itself says that a statement does (its authorizer's action codes), beside what its text says: the stricter class holds, and
 * of the names only those stay that SQLite found to be tables.
 */

import type { Classification, StatementClass } from '../types.ts';

/** SQLite's own name for what is done, without its prefix; to what; a part of that. */
export type Act = readonly [action: string, object: string, part: string | null];

export interface Acted {
  readonly class: StatementClass;
  readonly reason: string;
}

const classes: readonly StatementClass[] = ['read', 'write', 'destructive', 'forbidden'];

/** @param acts those of the statement and of all that it sets off, without what only reads. */
export function classOfActs(acts: readonly Act[]): Acted {
  // Another name can't be told from a new column; a dropped column has the column with it.
  const taking = acts.find(
    ([action, , part]) =>
      action.startsWith('DROP_') || action.endsWith('_TRIGGER') || (action === 'ALTER_TABLE' && part !== null),
  );
  if (taking !== undefined)
    return { class: 'destructive', reason: `To SQLite it is ${taking[0].replaceAll('_', ' ')} of ${taking[1]}.` };
  const [writing] = acts;
  if (writing !== undefined)
    return { class: 'write', reason: `To SQLite it is ${writing[0].replaceAll('_', ' ')} of ${writing[1]}.` };
  return { class: 'read', reason: 'SQLite says that it only reads.' };
}

/** It has one name for its schema's table. */
function namedBySqlite(name: string): string {
  return name.replace(/^(sqlite_|sqlite_temp_)schema$/, '$1master');
}

/** @param touched the tables that SQLite named, in lower case. Of a definition it names none that its body holds. */
export function withActs(byText: Classification, acted: Acted, touched: readonly string[]): Classification {
  const isWhole = byText.isDml || byText.class === 'read';
  const tables = isWhole ? byText.tables.filter(({ name }) => touched.includes(namedBySqlite(name))) : byText.tables;
  const isStricter = classes.indexOf(acted.class) > classes.indexOf(byText.class);
  return { ...byText, tables, ...(isStricter && acted) };
}
