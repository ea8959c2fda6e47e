/**
 * Which parts of ALTER TABLE and its like may run, by the grammar's name of each: what they did is
 * then asked of the catalogs (`defined/`). Any other part asks first, as it drops, moves or
 * rewrites, also one of a newer server.
 */

import { triedReason } from '../tried-reason.ts';
import type { QualifiedName } from '../types.ts';
import { askingReason, becomesText } from './asking-alterations.ts';
import { classifyForeignOptions } from './definitions.ts';
import { type Fields, fieldsOf, listOf, nameParts, optionsOf, taggedNode, textOf } from './tree.ts';
import { destructive, say, type Verdict, write } from './verdict.ts';

const rowHolders = ['TABLE', 'MATERIALIZED VIEW'];
const storage = [...rowHolders, 'INDEX', 'SEQUENCE'];

/** `TABLE`: the statement says ALTER TABLE, whatever the relation is. */
export const triedParts: ReadonlyMap<string, readonly string[]> = new Map([
  ...[
    'AddColumn',
    'AddConstraint',
    'SetNotNull',
    'AddIdentity',
    'ColumnDefault',
    'AlterColumnType',
    'ValidateConstraint',
  ]
    .concat(['DropOids', 'DropOf'])
    .map((part): [string, string[]] => [`AT_${part}`, ['TABLE']]),
  ...['SetStorage', 'SetCompression', 'SetOptions', 'ResetOptions', 'ClusterOn', 'DropCluster', 'ReplicaIdentity'].map(
    (part): [string, string[]] => [`AT_${part}`, rowHolders],
  ),
  ...['SetLogged', 'SetTableSpace', 'SetRelOptions', 'ResetRelOptions'].map((part): [string, string[]] => [
    `AT_${part}`,
    storage,
  ]),
  ['AT_SetStatistics', [...rowHolders, 'INDEX']],
  ['AT_AttachPartition', ['INDEX']],
]);

/** @param command such as `ALTER TABLE`. */
export function classifyAlterTablePart(command: string, part: Fields, table: QualifiedName): Verdict {
  const subtype = textOf(part.subtype);
  if (subtype === 'AT_GenericOptions' || subtype === 'AT_AlterColumnGenericOptions') {
    return classifyForeignOptions(command, optionsOf(part.def));
  }
  const does = doesToRows[subtype];
  const isTried = triedParts.get(subtype)?.includes(command.replace('ALTER ', '')) === true;
  return isTried && (subtype !== 'AT_AlterColumnType' || becomesText(part))
    ? write(triedReason(command))
    : { ...destructive(askingReason(command, part, table)), ...(does !== undefined && { does }) };
}

/** What a part does to rows that are there, which weighs more than what it does to definitions. */
const doesToRows: Readonly<Record<string, NonNullable<Verdict['does']>>> = {
  AT_DropColumn: 'removes',
  AT_DetachPartition: 'removes',
  AT_SetUnLogged: 'changes',
  AT_AlterColumnType: 'changes',
  AT_SetExpression: 'changes',
};

/** A new value of an enum has no rows. A new name for a value changes what all its rows say. */
export function classifyAlterEnum(fields: Fields): Verdict {
  return fields.oldVal === undefined && textOf(fields.newVal) !== ''
    ? write(say('ALTER TYPE … ADD VALUE adds a value and keeps what is there.'))
    : destructive(say('ALTER TYPE … RENAME VALUE changes what every row with that value says.'));
}

/** One that is made CONCURRENTLY runs in no transaction, so its text decides. */
export function classifyCreateIndex(fields: Fields): Verdict {
  if (fields.concurrent !== true) return write(triedReason('CREATE INDEX'));
  const expressions = listOf(fields.indexParams).map(item => fieldsOf(taggedNode(item)?.fields).expr);
  if (fields.unique === true)
    return destructive(
      say("CREATE UNIQUE INDEX CONCURRENTLY restricts what others may write, and can't be taken back."),
    );
  return [...expressions, fields.whereClause].every(isPlainExpression)
    ? write(say('CREATE INDEX CONCURRENTLY adds an index.'))
    : destructive(
        say(
          "CREATE INDEX CONCURRENTLY is over an expression that may fail for what others write, and can't be taken back.",
        ),
      );
}

const plainOperators: ReadonlySet<string> = new Set('= <> < > <= >= -> ->>'.split(' '));
const plainFunctions: ReadonlySet<string> = new Set('lower upper btrim length md5 to_tsvector'.split(' '));
const plainNodes: ReadonlySet<string> = new Set(
  'A_Const ColumnRef String NullTest BooleanTest BoolExpr A_Expr CoalesceExpr FuncCall List'.split(' '),
);

function isPlainExpression(expression: unknown): boolean {
  const pending: unknown[] = [expression];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) pending.push(...value);
    const node = taggedNode(value);
    if (node === null) continue;
    const { name, funcname } = node.fields;
    if (!plainNodes.has(node.tag)) return false;
    if (node.tag === 'A_Expr' && !plainOperators.has(nameParts(name).join('.'))) return false;
    if (node.tag === 'FuncCall' && !plainFunctions.has(nameParts(funcname).join('.'))) return false;
    pending.push(...Object.values(node.fields));
  }
  return true;
}
