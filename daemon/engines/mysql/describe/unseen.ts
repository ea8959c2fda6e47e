/** What an account's rights may hide of a table: the catalog leaves it out without a word. */

import type { Unseen } from '../../engine.ts';
import { hasPrivilege } from '../follow/grants.ts';
import { systemDatabases } from '../schema.ts';
import type { FoundTable } from './catalog.ts';

/** One of them on the table shows all of its columns; on a column, that column alone. */
const rightsOnColumns = ['SELECT', 'INSERT', 'UPDATE', 'REFERENCES'];

/** Only one of them on the whole database shows MariaDB's REFERENTIAL_CONSTRAINTS. */
const rightsBesideSelect =
  'INSERT,UPDATE,DELETE,CREATE,DROP,REFERENCES,INDEX,ALTER,CREATE VIEW,SHOW VIEW,TRIGGER,DELETE HISTORY'.split(',');

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
  const mayEverywhere = (right: string) => hasPrivilege(grants, right, { schema: table.schema, name: null });
  const unseen: Unseen[] = rightsOnColumns.some(may) ? [] : ['columns'];
  if (table.kind === 'table') {
    const hidesKeys = table.isMariadb && !rightsBesideSelect.some(mayEverywhere);
    if (unseen.length > 0) unseen.push('keys');
    else if (hidesKeys) unseen.push('incoming foreign keys');
    if (unseen.includes('keys') || (hidesKeys && !mayEverywhere('SELECT'))) unseen.push('checks');
    if (!may('TRIGGER')) unseen.push('triggers');
  }
  return hidesDefinition ? [...unseen, 'definition'] : unseen;
}
