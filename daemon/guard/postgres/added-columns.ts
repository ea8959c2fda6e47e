/**
 * What a new column may do to other people's writes, which don't name it. It does nothing if it
 * takes NULL, or has a default that always gives a value. Anything else counts if the table has
 * rows (`Condition`).
 */

import type { QualifiedName } from '../types.ts';
import { writtenName } from '../written-name.ts';
import { serialTypes } from './implicit-names.ts';
import { plainTypes } from './names.ts';
import { isConstant, isNull, surelyGivesAValue } from './sure-expressions.ts';
import { type Fields, fieldsOf, isFields, listOf, nameParts, optionsOf, taggedNode, textOf } from './tree.ts';
import { type Condition, joinReasons, type Reason, say } from './verdict.ts';

const small = /^(smallserial|serial2|int2)$/;

/** @param column a ColumnDef. */
export function conditionsOfColumn(command: string, column: Fields, table: QualifiedName): readonly Condition[] {
  const name = textOf(column.colname);
  const constraints = listOf(column.constraints).map(item => fieldsOf(taggedNode(item)?.fields));
  const given = constraints.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr;
  const types = nameParts(fieldsOf(column.typeName).names);
  const fillsItself =
    serialTypes.test(types.at(-1) ?? '') || constraints.some(({ contype }) => contype === 'CONSTR_IDENTITY');
  const about: About = { name, fillsItself, given: isNull(given) ? undefined : given };
  const reasons = [
    ...(given === undefined || surelyGivesAValue(given, []) ? [] : [say`has a default that may fail,`]),
    ...(fillsItself && small.test(types.at(-1) ?? '') ? [say`may run out of numbers,`] : []),
    ...constraints.map(constraint => restrictionOf(constraint, about)).filter(reason => reason !== null),
  ];
  const found = reasons.map(why => ({ also: null, why }));
  const checked = { also: { kind: 'checkedDomain' }, why: say`has a domain with a CHECK,` } as const;
  return [...found, ...(namesUsersType([column.typeName, given]) ? [checked] : [])].map(({ also, why }) => ({
    table,
    reason: joinReasons(
      say`${command} … ADD COLUMN ${name}`,
      why,
      say`so other people's writes to ${writtenName(table)}, which has or had rows, may fail.`,
    ),
    also,
  }));
}

interface About {
  readonly name: string;
  readonly fillsItself: boolean;
  /** Its default, unless that is NULL. */
  readonly given: unknown;
}

/**
 * @returns how the constraint may get in the way of a write that doesn't name the column; null if
 *   it doesn't.
 */
function restrictionOf(constraint: Fields, { name, fillsItself, given }: About): Reason | null {
  const hasValue = fillsItself || given !== undefined;
  switch (constraint.contype) {
    case 'CONSTR_NOTNULL':
      return hasValue ? null : say`takes no NULL,`;
    case 'CONSTR_PRIMARY':
      return hasValue && !isConstant(given) ? null : say`is a key without a default,`;
    case 'CONSTR_UNIQUE':
      return isConstant(given) || constraint.nulls_not_distinct === true ? say`takes its default once,` : null;
    case 'CONSTR_FOREIGN':
      if (constraint.fk_del_action === 'c') return say`has rows deleted along with others,`;
      return hasValue ? say`has a default that another table must hold,` : null;
    case 'CONSTR_CHECK':
      return mayCall(constraint.raw_expr) || !surelyGivesAValue(constraint.raw_expr, [name])
        ? say`has a CHECK of more than its value,`
        : null;
    case 'CONSTR_GENERATED':
      return surelyGivesAValue(constraint.raw_expr) ? null : say`is computed by an expression that may fail,`;
    case 'CONSTR_IDENTITY':
      return optionsOf(constraint.options).length === 0 ? null : say`may run out of numbers,`;
    case 'CONSTR_NULL':
    case 'CONSTR_DEFAULT':
    case 'CONSTR_ATTR_DEFERRABLE':
    case 'CONSTR_ATTR_NOT_DEFERRABLE':
    case 'CONSTR_ATTR_DEFERRED':
    case 'CONSTR_ATTR_IMMEDIATE':
      return null;
    default:
      return say`has a constraint that isn't known here,`;
  }
}

/** A function in a CHECK may give another answer tomorrow: `now()`. */
function mayCall(expression: unknown): boolean {
  return /"(FuncCall|SQLValueFunction)":/.test(JSON.stringify(expression ?? null));
}

/**
 * True if a column or its default names a type that PostgreSQL didn't bring. It may be a domain.
 */
function namesUsersType(values: readonly unknown[]): boolean {
  const pending = [...values];
  while (pending.length > 0) {
    const value = pending.pop();
    if (Array.isArray(value)) pending.push(...value);
    if (!isFields(value)) continue;
    const parts = nameParts(value.names);
    const name = parts.at(-1);
    if (name !== undefined && parts[0] !== 'pg_catalog' && !plainTypes.has(name) && !serialTypes.test(name))
      return true;
    pending.push(...Object.values(value));
  }
  return false;
}
