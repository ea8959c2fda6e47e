/**
 * What new columns, defaults and constraints may do to other people's statements, which don't know
 * of them.
 */

import type { ReasonPart } from '../../reason.ts';
import { type Reason, say } from '../verdict.ts';
import type { ColumnFact, DefinedAfter } from './facts.ts';
import { isConstant, isImmutable, isTotalDefault, isTotalOfRows } from './total-expressions.ts';

/** Parts of a query of ours: a condition, and the values of the columns that it names. */
export interface CheckOf {
  readonly condition: string;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly value: string | null }[];
  /** What is said if it isn't true. */
  readonly reason: Reason;
}

interface Found {
  readonly reasons: readonly Reason[];
  readonly checks: readonly CheckOf[];
}

export const restricts = (constraint: string, table: string): readonly ReasonPart[] =>
  say('The constraint %@ restricts what others may write to %@.', constraint, table);
export const deletesAlong = (table: string, constraint: string): readonly ReasonPart[] =>
  say('Rows of %@ are deleted along with others by the constraint %@.', table, constraint);

const numbersFrom = 'nextval';

export function columnsThatAsk(
  after: DefinedAfter,
  isNew: (oid: number) => boolean,
  nameOf: (oid: number) => string,
): Found {
  const old = after.columns.filter(({ relation }) => !isNew(relation));
  const found = [
    ...old.map(column => ofColumn(column, after, nameOf(column.relation))),
    ...after.defaults
      .filter(({ relation, number }) => !isNew(relation) && !old.some(isAt(relation, number)))
      .map(({ relation }) =>
        asks(say('It changes what others write to %@ where they leave a column out.', nameOf(relation))),
      ),
    ...after.constraints
      .filter(({ relation }) => !isNew(relation))
      .map(constraint => ofConstraint(constraint, after, old, nameOf(constraint.relation))),
  ];
  return { reasons: found.flatMap(({ reasons }) => reasons), checks: found.flatMap(({ checks }) => checks) };
}

const nothing: Found = { reasons: [], checks: [] };
const asks = (...reasons: readonly Reason[]): Found => ({ reasons, checks: [] });
const isAt =
  (relation: number, number: number) =>
  (column: Pick<ColumnFact, 'relation' | 'number'>): boolean =>
    column.relation === relation && column.number === number;

function ofColumn(column: ColumnFact, after: DefinedAfter, table: string): Found {
  const { relation, number, name, generated, hides } = column;
  const { kind = '', publications = [] } = after.relations.find(({ oid }) => oid === relation) ?? {};
  const fails = (why: Reason): Found => asks(why);
  if (kind !== 'r' && kind !== 'p') return fails(say('It changes the columns of %@, which others read.', table));
  const [hidden] = hides;
  if (hidden !== undefined)
    return fails(say('The column %@ of %@ takes over what %@ computed of a row.', name, table, hidden));
  if (publications.length > 0)
    return fails(
      say('%@ is published by %@: a subscriber without the column %@ stops.', table, publications.join(', '), name),
    );
  const given = after.defaults.find(isAt(relation, number))?.expression;
  const byItself = column.isIdentity || given?.functions.some(call => call.name === numbersFrom) === true;
  const mayFail = say("The column %@ may make other people's writes to %@ fail:", name, table);
  if (generated !== '') {
    const isSure = generated === 's' && given !== undefined && isTotalOfRows(given);
    return isSure ? nothing : fails([...mayFail, ...say('it is computed by an expression that may fail.')]);
  }
  if (column.isChecked) return fails([...mayFail, ...say('it has a domain with rules of its own.')]);
  if (byItself) {
    const numbers = after.sequences.find(({ owner }) => owner !== null && isAt(owner.relation, owner.column)(column));
    const isPlain = numbers?.isPlain === true && !column.isSmall && (given === undefined || isNextNumber(given.nodes));
    if (!isPlain) return fails([...mayFail, ...say('it may run out of numbers.')]);
    return numbers.isClosed
      ? fails([...mayFail, ...say('it takes its numbers from a sequence that not all of their roles may use.')])
      : nothing;
  }
  if (given === undefined)
    return column.takesNoNull ? fails([...mayFail, ...say('it takes no NULL and has no default.')]) : nothing;
  if (!isTotalDefault(given)) return fails([...mayFail, ...say('it has a default that may fail.')]);
  if (!column.takesNoNull || !isConstant(given)) return nothing;
  const reason = [...mayFail, ...say('it takes no NULL and has no default.')];
  return { reasons: [], checks: [{ condition: `(${given.text}) IS NOT NULL`, columns: [], reason }] };
}

const isNextNumber = (nodes: readonly string[]): boolean => nodes.every(node => /^(CONST|FUNCEXPR)$/.test(node));

function ofConstraint(
  { relation, name, type, columns: keys, cascades, expression }: DefinedAfter['constraints'][number],
  after: DefinedAfter,
  old: readonly ColumnFact[],
  table: string,
): Found {
  const columns = keys.map(key => old.find(isAt(relation, key)));
  const restricting = asks(restricts(name, table));
  // A key's index is judged, and a column that takes no NULL.
  if (type === 'p' || type === 'u' || type === 'n') return nothing;
  const areNew = keys.length > 0 && columns.every(column => column !== undefined);
  const defaultOf = (column: ColumnFact | undefined) =>
    after.defaults.find(isAt(relation, column?.number ?? 0))?.expression;
  if (!areNew) return restricting;
  if (type === 'f') {
    if (cascades) return asks(deletesAlong(table, name));
    const isFilled = columns.some(column => column?.isIdentity === true || defaultOf(column) !== undefined);
    return isFilled ? restricting : nothing;
  }
  const values = columns.map(defaultOf);
  const isTold = values.every(value => value === undefined || isConstant(value));
  if (type !== 'c' || expression === null || !isImmutable(expression) || !isTold) return restricting;
  if (columns.some(column => column?.isIdentity === true || column?.generated !== '')) return restricting;
  return {
    reasons: [],
    checks: [
      {
        condition: expression.text,
        columns: columns.flatMap((column, at) =>
          column === undefined ? [] : [{ name: column.name, type: column.type, value: values[at]?.text ?? null }],
        ),
        reason: restricts(name, table),
      },
    ],
  };
}
