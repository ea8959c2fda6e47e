/**
 * Verdicts on the parts of ALTER TABLE and its like, by the grammar's name of each. The parts
 * listed are known to keep rows, the meaning of names, defaults, other people's writes and code
 * that runs later. Any other part asks, also one of a newer server.
 */

import type { QualifiedName } from '../types.ts';
import { writtenName } from '../written-name.ts';
import { conditionsOfColumn } from './added-columns.ts';
import { askingReason } from './asking-alterations.ts';
import { classifyForeignOptions } from './definitions.ts';
import { isNull, surelyGivesAValue } from './sure-expressions.ts';
import { type Fields, fieldsOf, nameParts, optionsOf, taggedNode, textOf } from './tree.ts';
import { type Condition, destructive, type Reason, say, type Verdict, write } from './verdict.ts';

/** @returns what makes the part ask if the table has rows; null if it asks in any case. */
type Conditions = (part: Fields, command: string, table: QualifiedName) => readonly Condition[] | null;

interface KeepingPart {
  /** `TABLE`: the statement says ALTER TABLE, whatever the relation is. */
  readonly on: readonly string[];
  readonly conditions: Conditions;
}

const always: Conditions = () => [];
const where =
  (isKept: (part: Fields) => boolean): Conditions =>
  part =>
    isKept(part) ? [] : null;
const restricting =
  (what: string): Conditions =>
  (_, command, table) => [restriction(`${command} … ${what}`, table)];

export function restriction(command: string, table: QualifiedName): Condition {
  const reason = say`${command} restricts what others may write to ${writtenName(table)}, which has or had rows.`;
  return { table, reason, also: null };
}

const storageOptions =
  /^(fillfactor|parallel_workers|toast_tuple_target|autovacuum_[a-z_]+|vacuum_[a-z_]+|log_autovacuum_min_duration|deduplicate_items|buffering|fastupdate|gin_pending_list_limit|pages_per_range|autosummarize)$/;
const setsStorage = where(({ def }) => optionsOf(def).every(({ name }) => storageOptions.test(name)));

function setDefault(part: Fields, command: string, table: QualifiedName): readonly Condition[] | null {
  if (part.def === undefined || isNull(part.def)) return null;
  const reason = say`${command} … SET DEFAULT changes what others write to ${writtenName(table)}, which has or had rows.`;
  return [{ table, reason, also: null }];
}

/**
 * Only a change to unlimited text surely keeps every value. Only what is text already surely keeps
 * its meaning.
 */
function becomesText(part: Fields, command: string, table: QualifiedName): readonly Condition[] | null {
  const column = fieldsOf(taggedNode(part.def)?.fields);
  const type = fieldsOf(column.typeName);
  const name = nameParts(type.names).at(-1) ?? '';
  const isPlain = type.typmods === undefined && type.arrayBounds === undefined && column.raw_default === undefined;
  if (!isPlain || (name !== 'text' && name !== 'varchar')) return null;
  const reason = say`${command} changes the type of ${textOf(part.name)}, so what compares or computes with it means something else.`;
  return [{ table, reason, also: { kind: 'notText', column: textOf(part.name) } }];
}

const rowHolders = ['TABLE', 'MATERIALIZED VIEW'];
const storage = [...rowHolders, 'INDEX', 'SEQUENCE'];

export const keepingParts: ReadonlyMap<string, KeepingPart> = new Map([
  [
    'AT_AddColumn',
    {
      on: ['TABLE'],
      conditions: (part, command, table) => conditionsOfColumn(command, fieldsOf(taggedNode(part.def)?.fields), table),
    },
  ],
  ['AT_AddConstraint', { on: ['TABLE'], conditions: restricting('ADD CONSTRAINT') }],
  ['AT_SetNotNull', { on: ['TABLE'], conditions: restricting('SET NOT NULL') }],
  ['AT_AddIdentity', { on: ['TABLE'], conditions: restricting('ADD GENERATED AS IDENTITY') }],
  ['AT_ColumnDefault', { on: ['TABLE'], conditions: setDefault }],
  ['AT_AlterColumnType', { on: ['TABLE'], conditions: becomesText }],
  ['AT_ValidateConstraint', { on: ['TABLE'], conditions: always }],
  ['AT_SetStatistics', { on: [...rowHolders, 'INDEX'], conditions: always }],
  ['AT_SetStorage', { on: rowHolders, conditions: always }],
  ['AT_SetCompression', { on: rowHolders, conditions: always }],
  ['AT_SetOptions', { on: rowHolders, conditions: always }],
  ['AT_ResetOptions', { on: rowHolders, conditions: always }],
  ['AT_ClusterOn', { on: rowHolders, conditions: always }],
  ['AT_DropCluster', { on: rowHolders, conditions: always }],
  ['AT_DropOids', { on: ['TABLE'], conditions: always }],
  ['AT_DropOf', { on: ['TABLE'], conditions: always }],
  ['AT_SetLogged', { on: storage, conditions: always }],
  ['AT_SetTableSpace', { on: storage, conditions: always }],
  ['AT_SetRelOptions', { on: storage, conditions: setsStorage }],
  ['AT_ResetRelOptions', { on: storage, conditions: setsStorage }],
  [
    'AT_ReplicaIdentity',
    { on: rowHolders, conditions: where(({ def }) => fieldsOf(taggedNode(def)?.fields).identity_type === 'f') },
  ],
  ['AT_AttachPartition', { on: ['INDEX'], conditions: always }],
]);

/** @param command such as `ALTER TABLE`. */
export function classifyAlterTablePart(command: string, part: Fields, table: QualifiedName): Verdict {
  const subtype = textOf(part.subtype);
  if (subtype === 'AT_GenericOptions' || subtype === 'AT_AlterColumnGenericOptions') {
    return classifyForeignOptions(command, optionsOf(part.def));
  }
  const keeping = keepingParts.get(subtype);
  const isOfKind = keeping?.on.includes(command.replace('ALTER ', '')) === true;
  const conditions = isOfKind ? keeping.conditions(part, command, table) : null;
  return conditions === null
    ? destructive(askingReason(command, subtype, part, table))
    : { ...write(keepingReason(command, 'changes', conditions)), conditions };
}

/** Without a catalog nobody knows whether the conditions hold. */
export function keepingReason(command: string, verb: 'adds' | 'changes', conditions: readonly Condition[]): Reason {
  if (conditions.length > 0)
    return say`${command} keeps what exists if the table never had rows, and may ask if it had some.`;
  return verb === 'adds'
    ? say`${command} adds a definition and keeps what is there.`
    : say`${command} changes a definition and keeps what is there.`;
}

/** CREATE INDEX gets in the way of writes if it is unique, or over an expression that may fail. */
export function conditionsOfIndex(fields: Fields, table: QualifiedName): readonly Condition[] {
  if (fields.unique === true) return [restriction('CREATE UNIQUE INDEX', table)];
  const isSure = surelyGivesAValue([fields.indexParams, fields.whereClause].map(value => onlyExpressions(value)));
  return isSure ? [] : [restriction('CREATE INDEX over an expression that may fail', table)];
}

function onlyExpressions(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map(item => fieldsOf(taggedNode(item)?.fields).expr);
}
