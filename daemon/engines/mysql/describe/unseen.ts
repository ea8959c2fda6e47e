/** What an account's rights may hide of a table: the catalog leaves it out without a word. */

import type { Unseen } from '../../engine.ts';
import { hasPrivilege } from '../follow/grants.ts';
import { systemDatabases } from '../schema.ts';
import type { FoundTable } from './catalog.ts';

/** One of them on the table shows all of its columns; on a column, that column alone. */
const rightsOnColumns = ['SELECT', 'INSERT', 'UPDATE', 'REFERENCES'];

/**
 * @param grants the lines of SHOW GRANTS; null on a server without accounts, which hides nothing.
 * @param hidesDefinition true if it was refused.
 */
export function unseenOf(
  table: FoundTable,
  grants: readonly string[] | null,
  hidesDefinition: boolean,
): readonly Unseen[] {
  if (grants === null || systemDatabases.includes(table.schema.toLowerCase())) return [];
  const may = (right: string) => hasPrivilege(grants, right, table);
  const unseen: Unseen[] = rightsOnColumns.some(may) ? [] : ['columns'];
  if (table.kind === 'table') {
    if (unseen.length > 0) unseen.push('keys', 'checks');
    if (!may('TRIGGER')) unseen.push('triggers');
  }
  return hidesDefinition ? [...unseen, 'definition'] : unseen;
}
