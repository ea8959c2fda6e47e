/**
 * Which statements PostgreSQL refuses inside a transaction block, so they need a connection of
 * their own.
 */

import { type Fields, fieldsOf, isOptionOn, listOf, optionsOf, taggedNode } from './tree.ts';

/**
 * REINDEX and CLUSTER can't run in a block if the table is partitioned. The text doesn't tell, and
 * they can always run alone. CALL can't if the procedure commits, which its code tells.
 */
const always: ReadonlySet<string> = new Set([
  'CreatedbStmt',
  'DropdbStmt',
  'DropTableSpaceStmt',
  'ReindexStmt',
  'ClusterStmt',
  'RepackStmt',
]);

export function needsOwnSession(tag: string, fields: Fields): boolean {
  if (always.has(tag)) return true;
  if (tag === 'VacuumStmt') return fields.is_vacuumcmd === true;
  if (tag === 'IndexStmt' || tag === 'DropStmt') return fields.concurrent === true;
  if (tag === 'AlterDatabaseStmt') return isOptionOn(optionsOf(fields.options), 'tablespace');
  if (tag !== 'AlterTableStmt') return false;
  return listOf(fields.cmds).some(part => {
    const partition = taggedNode(fieldsOf(taggedNode(part)?.fields).def);
    return partition?.tag === 'PartitionCmd' && partition.fields.concurrent === true;
  });
}
