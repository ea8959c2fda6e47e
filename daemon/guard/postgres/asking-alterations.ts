/**
 * What the parts of ALTER TABLE that ask change, in a sentence for the person who is asked. Decides
 * nothing.
 */

import type { QualifiedName } from '../types.ts';
import { writtenName } from '../written-name.ts';
import { type Fields, fieldsOf, optionsOf, taggedNode, textOf } from './tree.ts';

/** What of a column goes, where the column itself stays. */
const dropped: ReadonlyMap<string, string> = new Map([
  ['AT_DropNotNull', 'NOT NULL from '],
  ['AT_DropIdentity', 'the identity of '],
  ['AT_DropExpression', 'the expression of '],
]);

const viewOptions = /^(security_\w+|check_option)$/i;

/**
 * The account of what a client changed is kept by name too: under another one it would begin anew.
 */
export const hidesRows = (command: string): string =>
  `${command} takes rows away from where they are looked for, or puts others there.`;

export function askingReason(command: string, subtype: string, part: Fields, table: QualifiedName): string {
  const column = textOf(part.name);
  const named = writtenName(table);
  // ALTER TABLE takes a view too.
  if (optionsOf(part.def).some(({ name }) => viewOptions.test(name))) {
    return `${command} changes by whose rights the view reads, or what may be changed through it.`;
  }
  switch (subtype) {
    case 'AT_AlterColumnType':
      return `${command} changes the type of ${column}, which may lose data.`;
    case 'AT_AttachPartition':
      return hidesRows(`${command} … ATTACH`);
    case 'AT_DetachPartition':
    case 'AT_DetachPartitionFinalize':
    case 'AT_DropInherit':
      return hidesRows(`${command} … DETACH or NO INHERIT`);
    case 'AT_AddInherit': {
      const parent = textOf(fieldsOf(taggedNode(part.def)?.fields).relname);
      return `${command} … INHERIT makes ${named} a part of ${parent}: whoever reads, changes, empties or drops ${parent} does so with ${named}.`;
    }
    case 'AT_SetUnLogged':
      return `${command} … SET UNLOGGED has a crash empty it.`;
    case 'AT_ChangeOwner':
      return `${command} … OWNER TO changes who holds all rights.`;
    case 'AT_EnableRowSecurity':
    case 'AT_DisableRowSecurity':
    case 'AT_ForceRowSecurity':
    case 'AT_NoForceRowSecurity':
      return `${command} changes row security, which decides who sees which rows.`;
    case 'AT_EnableTrig':
    case 'AT_EnableAlwaysTrig':
    case 'AT_EnableTrigAll':
    case 'AT_EnableTrigUser':
    case 'AT_EnableRule':
    case 'AT_EnableAlwaysRule':
      return `${command} has a trigger or rule, which runs code at other people's writes, run from now on.`;
    case 'AT_SetExpression':
      return `${command} … SET EXPRESSION computes ${column} anew in every row of ${named}, and the old expression is lost.`;
    case 'AT_SetIdentity':
      return `${command} changes which numbers new rows of ${named} get.`;
    case 'AT_ReplicaIdentity':
      return `${command} … REPLICA IDENTITY may have every UPDATE and DELETE of ${named} fail where the table is published.`;
    case 'AT_AlterConstraint':
      return `${command} … ALTER CONSTRAINT changes when, or whether, a constraint on other people's writes is checked; NOT ENFORCED means never.`;
    case 'AT_ColumnDefault':
      return part.def === undefined
        ? `${command} … DROP DEFAULT removes a part of the definition.`
        : `${command} … SET DEFAULT changes what others write where they leave ${column} out.`;
    case 'AT_AddColumn':
      return `${command} adds a column, so rows that others read or write of ${named} have another form.`;
    default:
      break;
  }
  // REPLICA: from now on only where changes are replicated.
  if (/^AT_(Disable|EnableReplica)/.test(subtype)) {
    return `${command} keeps a trigger or rule, which guards or follows changes, from running.`;
  }
  if (subtype.startsWith('AT_Drop')) {
    return `${command} … DROP removes ${dropped.get(subtype) ?? ''}${column || 'a part'} for good.`;
  }
  return `${command} holds a part that isn't known to keep what is there.`;
}
