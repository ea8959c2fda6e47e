/**
 * Verdicts on what CREATE adds to existing tables: children, partitions, indexes. The new names are
 * in `created-names`.
 */

import type { QualifiedName } from '../types.ts';
import { conditionsOfIndex, keepingReason, restriction } from './alterations.ts';
import { relationName } from './changing-nodes.ts';
import { type Fields, fieldsOf, listOf, nameParts, type Option, optionsOf, taggedNode, textOf } from './tree.ts';
import { type Condition, destructive, say, type Verdict, write } from './verdict.ts';

const adds = (command: string, conditions: readonly Condition[] = []): Verdict => ({
  ...write(keepingReason(command, 'adds', conditions)),
  conditions,
});

export function classifyCreateTable(fields: Fields): Verdict {
  const [parent] = listOf(fields.inhRelations).map(item => relationName(taggedNode(item)?.fields));
  if (parent === undefined) return adds('CREATE TABLE');
  if (fields.partbound === undefined) {
    return destructive(
      say`After CREATE TABLE … INHERITS, the new table's rows are read and changed as rows of ${parent.name}, whose keys don't apply to them.`,
    );
  }
  if (textOf(fieldsOf(fields.relation).relpersistence) === 'u') {
    return destructive(
      say`After CREATE UNLOGGED TABLE … PARTITION OF, a crash can lose what others write to ${parent.name}.`,
    );
  }
  const restricts = listOf(fields.tableElts).length > 0 || fields.partspec !== undefined;
  const conditions = restricts ? [restriction('CREATE TABLE … PARTITION OF', parent)] : [];
  return adds('CREATE TABLE … PARTITION OF', conditions);
}

export function classifyCreateIndex(fields: Fields): Verdict {
  const conditions = conditionsOfIndex(fields, relationName(fields.relation));
  return conditions.length === 0
    ? write(say`CREATE INDEX adds an index and makes writers wait.`)
    : adds('CREATE INDEX', conditions);
}

export function classifyCreateSequence(fields: Fields): Verdict {
  return adds('CREATE SEQUENCE', conditionsOfOwner('CREATE SEQUENCE', fields));
}

/**
 * Only a change of the owning column keeps the numbers that the sequence gives. Even a large cache
 * takes all that are left.
 */
export function classifyAlterSequence(fields: Fields): Verdict {
  const sequence = relationName(fields.sequence);
  // TRUNCATE … RESTART IDENTITY of the new table would begin its numbers again.
  const reason = say`ALTER SEQUENCE … OWNED BY takes ${sequence.name} from the column that it belongs to.`;
  return optionsOf(fields.options).every(option => ownerOf(option) !== null)
    ? adds('ALTER SEQUENCE', [{ table: sequence, reason, also: null }, ...conditionsOfOwner('ALTER SEQUENCE', fields)])
    : destructive(say`ALTER SEQUENCE changes which numbers others get next, and whether there are any left.`);
}

/** Programs ask a column for its sequence (`pg_get_serial_sequence`). */
function conditionsOfOwner(command: string, fields: Fields): readonly Condition[] {
  const owners = optionsOf(fields.options).map(ownerOf);
  return owners
    .filter(table => table !== null)
    .map(table => ({
      table,
      reason: say`${command} … OWNED BY changes which sequence is that of ${table.name}, which has or had rows.`,
      also: null,
    }));
}

/** @returns the table of `OWNED BY table.column`; null for `NONE` and any other option. */
function ownerOf({ name, value }: Option): QualifiedName | null {
  if (name !== 'owned_by') return null;
  const [, table, schema = null] = [...nameParts(fieldsOf(taggedNode(value)?.fields).items)].reverse();
  return table === undefined ? null : { schema, name: table };
}

/** A new value of an enum has no rows. A new name for a value changes what all its rows say. */
export function classifyAlterEnum(fields: Fields): Verdict {
  return fields.oldVal === undefined && textOf(fields.newVal) !== ''
    ? adds('ALTER TYPE … ADD VALUE')
    : destructive(say`ALTER TYPE … RENAME VALUE changes what every row with that value says.`);
}

/** The grammar gives a letter: V validates an existing constraint. */
export function classifyAlterDomain(fields: Fields): Verdict {
  const subtype = textOf(fields.subtype);
  if (subtype === 'V') return adds('ALTER DOMAIN … VALIDATE CONSTRAINT');
  const drops = subtype === 'N' || subtype === 'X' || (subtype === 'T' && fields.def === undefined);
  return drops
    ? destructive(say`ALTER DOMAIN … DROP removes a part of the definition.`)
    : destructive(say`ALTER DOMAIN changes the default or the constraints of every column of that domain.`);
}
