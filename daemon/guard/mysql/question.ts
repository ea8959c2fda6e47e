/**
 * What a statement or a piece of stored code names that only a server's catalog can explain. Asks
 * nothing itself.
 */

import type { QualifiedName } from '../types.ts';
import { type FunctionCall, userDefined } from './calls.ts';
import { withSchema } from './resolver.ts';
import type { WiderColumn } from './wider-column.ts';

export type Change = 'changed' | 'keyed' | 'added';

/** A column has one of a few constants. */
export interface KeyValue {
  readonly column: string;
  /**
   * True if all of them are strings. With any other constant, a text column is compared as a
   * number, and many rows are 0.
   */
  readonly isText: boolean;
}

export interface CatalogItem {
  /**
   * - `read`: a table or view that is read;
   * - `changed`: one whose rows change, so triggers run and a view leads on to its tables;
   * - `keyed`: the same, if the text picks the rows by values of columns (`by`);
   * - `added`: one that only gets rows;
   * - `cascaded`: one whose rows a foreign key changes along with those of another: MySQL runs its
   *   triggers, MariaDB doesn't;
   * - `replaced`: one that a definition replaces, if it exists;
   * - `altered`: one whose definition changes, and whose rows may be another server's;
   * - `constrained`: the same, if writes that were accepted before may be refused afterwards;
   * - `rebuilt`: the same, if it isn't in InnoDB yet;
   * - `described`: one that gets a comment in the place of the one that it may have;
   * - `widened`: one of whose columns gets longer, if it does no more (`wider`);
   * - `function`, `procedure`: stored code that is called;
   * - `hidden`: a function that is built in on some servers; on others, a stored one may have its
   *   name;
   * - `shown`: a table whose definition is shown, with another server's password if the table
   *   stands for one of that server's;
   * - `columns`: a table's columns, if some are masked;
   * - `variables`: the server's variables, which include passwords if such are set;
   * - `unseen`: whether there is such a table, which would be out of sight;
   * - `elsewhere`: whether a table's rows are those of others, or on another server;
   * - `fires`: triggers of a table with their names;
   * - `receives`: those triggers of it that new rows set off;
   * - `follows`: tables that foreign keys change along with it; `followsUpdate`: with an UPDATE;
   * - `grants`: what SHOW GRANTS shows, which includes a password hash on some servers.
   */
  readonly kind:
    | 'read'
    | Change
    | 'cascaded'
    | 'replaced'
    | 'altered'
    | 'constrained'
    | 'rebuilt'
    | 'described'
    | 'widened'
    | 'function'
    | 'procedure'
    | 'hidden'
    | 'shown'
    | 'unseen'
    | 'elsewhere'
    | 'fires'
    | 'follows'
    | 'followsUpdate'
    | 'receives'
    | 'columns'
    | 'variables'
    | 'grants';
  readonly schema: string;
  readonly name: string;
  readonly by?: readonly KeyValue[];
  readonly wider?: WiderColumn;
}

export const grants: CatalogItem = { kind: 'grants', schema: '', name: '' };

/**
 * @param schema where names without a schema are looked up; null: nowhere, so the server knows no
 *   such table.
 */
export function itemsOf(
  kind: CatalogItem['kind'],
  names: readonly QualifiedName[],
  schema: string | null,
  by: readonly KeyValue[] = [],
): CatalogItem[] {
  const isCode = kind === 'function' || kind === 'procedure';
  return names.flatMap(written => {
    const { schema: where, name } = withSchema(written, schema);
    const item = { kind, schema: where ?? '', name, ...(by.length > 0 && { by }) };
    return where === null && !isCode ? [] : [item];
  });
}

export function functionsOf(calls: readonly FunctionCall[], schema: string | null): CatalogItem[] {
  const { unknown, hiding } = userDefined(calls);
  return [...itemsOf('function', unknown, schema), ...itemsOf('hidden', hiding, schema)];
}

/**
 * Names that differ only in capitals have different keys. Asking twice does no harm; missing one
 * would.
 */
export function keyOf({ kind, schema, name, by, wider }: CatalogItem): string {
  return JSON.stringify([kind, schema, name, by, wider]);
}

export function isChange(kind: CatalogItem['kind']): kind is Change {
  return kind === 'changed' || kind === 'keyed' || kind === 'added';
}
