/**
 * What the parts of ALTER TABLE change, in a sentence for the person who is asked. Where one part
 * asks by its text, the others are told with it: nobody asks the catalogs about them any more.
 * Decides nothing.
 */

import { type Reason, type ReasonPart, say } from '../reason.ts';
import type { QualifiedName } from '../types.ts';
import { writtenName } from '../written-name.ts';
import { deletesAlong, restricts } from './defined/columns.ts';
import { type Fields, fieldsOf, listOf, nameParts, optionsOf, taggedNode, textOf } from './tree.ts';

/** What is dropped of a column that itself stays. */
const dropped: ReadonlyMap<string, (command: string, column: string) => Reason> = new Map([
  ['AT_DropNotNull', (command, column) => say('%@ … DROP removes NOT NULL from %@ for good.', command, column)],
  ['AT_DropIdentity', (command, column) => say('%@ … DROP removes the identity of %@ for good.', command, column)],
  ['AT_DropExpression', (command, column) => say('%@ … DROP removes the expression of %@ for good.', command, column)],
]);

const viewOptions = /^(security_\w+|check_option)$/i;

/**
 * What a client changed is also counted by table name. Under a new name, the count would begin
 * again.
 */
export const hidesRows = (command: string): Reason =>
  say('%@ moves rows away from the name under which programs look for them, or puts other rows there.', command);

export function askingReason(command: string, part: Fields, table: QualifiedName): Reason {
  const subtype = textOf(part.subtype);
  const column = textOf(part.name);
  const named = writtenName(table);
  // ALTER TABLE takes a view, too.
  if (optionsOf(part.def).some(({ name }) => viewOptions.test(name))) {
    return say('%@ changes by whose rights the view reads, or what may be changed through it.', command);
  }
  switch (subtype) {
    case 'AT_AlterColumnType':
      return becomesText(part)
        ? say(
            'It changes the type of a column of %@, so what compares or computes with it means something else.',
            named,
          )
        : say('%@ changes the type of %@, which may lose data.', command, column);
    case 'AT_AttachPartition':
      return hidesRows(`${command} … ATTACH`);
    case 'AT_DetachPartition':
    case 'AT_DetachPartitionFinalize':
    case 'AT_DropInherit':
      return hidesRows(`${command} … DETACH or NO INHERIT`);
    case 'AT_AddInherit': {
      const parent = textOf(fieldsOf(taggedNode(part.def)?.fields).relname);
      return say(
        '%@ … INHERIT makes %@ a part of %@: whoever reads, changes, empties or drops %@ does so with %@.',
        command,
        named,
        parent,
        parent,
        named,
      );
    }
    case 'AT_SetUnLogged':
      return say('%@ … SET UNLOGGED has a crash empty it.', command);
    case 'AT_ChangeOwner':
      return say('%@ … OWNER TO changes who holds all rights.', command);
    case 'AT_EnableRowSecurity':
    case 'AT_DisableRowSecurity':
    case 'AT_ForceRowSecurity':
    case 'AT_NoForceRowSecurity':
      return say('%@ changes row security, which decides who sees which rows.', command);
    case 'AT_EnableTrig':
    case 'AT_EnableAlwaysTrig':
    case 'AT_EnableTrigAll':
    case 'AT_EnableTrigUser':
    case 'AT_EnableRule':
    case 'AT_EnableAlwaysRule':
      return say("%@ switches on a trigger or rule, which runs code at other people's writes.", command);
    case 'AT_SetExpression':
      return say(
        '%@ … SET EXPRESSION computes %@ anew in every row of %@, and the old expression is lost.',
        command,
        column,
        named,
      );
    case 'AT_AddIdentity':
    case 'AT_SetIdentity':
      return say('%@ changes which numbers new rows of %@ get.', command, named);
    case 'AT_ReplicaIdentity':
      return say(
        '%@ … REPLICA IDENTITY may make every UPDATE and DELETE of %@ fail if the table is published.',
        command,
        named,
      );
    case 'AT_AlterConstraint':
      return say(
        "%@ … ALTER CONSTRAINT changes when, or whether, a constraint on other people's writes is checked; NOT ENFORCED means never.",
        command,
      );
    case 'AT_ColumnDefault':
      return part.def === undefined
        ? say('%@ … DROP DEFAULT removes a part of the definition.', command)
        : say('%@ … SET DEFAULT changes what others write where they leave %@ out.', command, column);
    case 'AT_AddColumn':
      return addingReason(command, fieldsOf(taggedNode(part.def)?.fields), named);
    case 'AT_AddConstraint':
      return ruleReason(fieldsOf(taggedNode(part.def)?.fields), named);
    case 'AT_SetNotNull':
      return restricts(`${column} NOT NULL`, named);
    default:
      break;
  }
  if (keepingParts.test(subtype)) return say('%@ changes how %@ is stored or looked after.', command, named);
  // REPLICA: from now on, it runs only where changes are replicated.
  if (/^AT_(Disable|EnableReplica)/.test(subtype)) {
    return say('%@ keeps a trigger or rule, which guards or follows changes, from running.', command);
  }
  if (subtype.startsWith('AT_Drop')) {
    if (column === '') return say('%@ … DROP removes a part for good.', command);
    return dropped.get(subtype)?.(command, column) ?? say('%@ … DROP removes %@ for good.', command, column);
  }
  return say("%@ holds a part that isn't known to keep what is there.", command);
}

/** Any other change of a type writes every row anew. */
export function becomesText(part: Fields): boolean {
  const column = fieldsOf(taggedNode(part.def)?.fields);
  const type = fieldsOf(column.typeName);
  const name = nameParts(type.names).at(-1) ?? '';
  const isPlain = type.typmods === undefined && type.arrayBounds === undefined && column.raw_default === undefined;
  return isPlain && (name === 'text' || name === 'varchar');
}

const keepingParts =
  /^AT_(Set|Reset)(Storage|Compression|Statistics|Options|RelOptions|Logged|TableSpace)$|^AT_(ClusterOn|DropCluster|ValidateConstraint)$/;

/** False for a part that is told behind the others. */
export function mayRestrict(part: Fields): boolean {
  const subtype = textOf(part.subtype);
  if (subtype === 'AT_AddColumn') return rulesOf(fieldsOf(taggedNode(part.def)?.fields)).length > 0;
  return !keepingParts.test(subtype);
}

function rulesOf(column: Fields): readonly Fields[] {
  return listOf(column.constraints)
    .map(node => fieldsOf(taggedNode(node)?.fields))
    .filter(({ contype }) => constraints.has(textOf(contype)));
}

function addingReason(command: string, column: Fields, table: string): Reason {
  return [
    ...say(
      '%@ adds %@, so rows that others read or write of %@ have another form.',
      command,
      textOf(column.colname),
      table,
    ),
    ...rulesOf(column).flatMap(rule => ruleReason(rule, table)),
  ];
}

const constraints: ReadonlyMap<string, string> = new Map([
  ['CONSTR_NOTNULL', 'NOT NULL'],
  ['CONSTR_CHECK', 'CHECK'],
  ['CONSTR_PRIMARY', 'PRIMARY KEY'],
  ['CONSTR_UNIQUE', 'UNIQUE'],
  ['CONSTR_EXCLUSION', 'EXCLUDE'],
  ['CONSTR_FOREIGN', 'FOREIGN KEY'],
]);

function ruleReason({ conname, contype, fk_del_action: onDelete }: Fields, table: string): readonly ReasonPart[] {
  const name = textOf(conname) || (constraints.get(textOf(contype)) ?? '');
  return [...restricts(name, table), ...(onDelete === 'c' ? deletesAlong(table, name) : [])];
}
