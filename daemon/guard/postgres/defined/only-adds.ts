/**
 * Whether a definition only added (spec §7): judged by what the catalogs say it did, before its
 * COMMIT. What isn't known to add asks. A relation is new if the statement made it, or this daemon
 * within the hour; what happens to a new one concerns nobody.
 */

import { untold } from '../../tried-reason.ts';
import { writtenName } from '../../written-name.ts';
import { english, type Reason, say } from '../verdict.ts';
import { changedRows } from './changed-rows.ts';
import { type CheckOf, columnsThatAsk } from './columns.ts';
import type { DefinedAfter, DefinedBefore, RelationFact, TakenName } from './facts.ts';
import { isTotalOfRows } from './total-expressions.ts';

export interface Judged {
  /** Sentences for the person who is asked; none if it only added. */
  readonly reasons: readonly Reason[];
  /** What has to be true of the values that a new column gets by itself. */
  readonly checks: readonly CheckOf[];
}

/** @param isKnown true for a relation that this daemon made within the hour. */
export function onlyAdds(
  before: DefinedBefore,
  found: DefinedAfter,
  isKnown: (relation: RelationFact) => boolean,
): Judged {
  const after = addedTo(before, found);
  if (!after.isCounting) return { reasons: [untold], checks: [] };
  const relations = new Map(after.relations.map(relation => [relation.oid, relation]));
  const held = new Set(before.held);
  const isNew = (oid: number): boolean => {
    const relation = relations.get(oid);
    return relation !== undefined && (relation.isTemporary || (relation.isOurs && !held.has(oid)) || isKnown(relation));
  };
  const nameOf = (oid: number): string => {
    const relation = relations.get(oid);
    return relation === undefined ? 'another relation' : writtenName(relation);
  };
  const columns = columnsThatAsk(after, isNew, nameOf);
  const reasons = [
    ...changedRows(before, found, isNew, nameOf),
    ...columns.reasons,
    ...indexesThatAsk(after, isNew, nameOf),
    ...childrenThatAsk(after, isNew, nameOf),
    ...sequencesThatAsk(after, isNew, nameOf),
    ...after.code
      .filter(({ relation, what }) => what === 'statistics' || !isNew(relation))
      .map(({ relation }) => say('It puts code behind %@, which runs later with other statements.', nameOf(relation))),
    ...(after.casts > 0 ? [say('It makes a cast, which runs later with other statements.')] : []),
    ...after.taken.map(takesOver),
  ];
  return { reasons: [...new Map(reasons.map(reason => [english(reason), reason])).values()], checks: columns.checks };
}

/** Leaves out what was there before, and what was only made again with another number. */
function addedTo({ rows }: DefinedBefore, after: DefinedAfter): DefinedAfter {
  const were = new Set(
    rows.flatMap(({ catalog, key, content }) => [`${catalog} ${key}`, `${catalog} ${content.more}`]),
  );
  const isAdded =
    (catalog: string) =>
    ({ key, written = '' }: { readonly key: string; readonly written?: string }): boolean =>
      !were.has(`${catalog} ${key}`) && !were.has(`${catalog} ${written}`);
  return {
    ...after,
    columns: after.columns.filter(isAdded('pg_attribute')),
    defaults: after.defaults.filter(isAdded('pg_attrdef')),
    constraints: after.constraints.filter(isAdded('pg_constraint')),
    indexes: after.indexes.filter(isAdded('pg_index')),
  };
}

type IsNew = (oid: number) => boolean;
type NameOf = (oid: number) => string;

/** A unique one keeps rows out, unless each row has a value of its own for a column that is new. */
function indexesThatAsk(
  { indexes, columns, defaults, relations }: DefinedAfter,
  isNew: IsNew,
  nameOf: NameOf,
): Reason[] {
  return indexes
    .filter(({ relation }) => !isNew(relation) && relations.find(({ oid }) => oid === relation)?.kind !== 'm')
    .flatMap(({ relation, isUnique, nullsAreEqual, columns: keys, expressions }): Reason[] => {
      if (!expressions.every(isTotalOfRows))
        return [say('Its index is over an expression that may fail for what others write to %@.', nameOf(relation))];
      const differs = keys.some(key => {
        const column = columns.find(({ relation: of, number }) => of === relation && number === key);
        const given = defaults.find(({ relation: of, number }) => of === relation && number === key);
        if (column === undefined) return false;
        if (given === undefined) return column.isIdentity || (!nullsAreEqual && column.generated === '');
        return given.expression.functions.some(({ volatility }) => volatility === 'v');
      });
      return isUnique && !differs
        ? [say('A unique index restricts what others may write to %@.', nameOf(relation))]
        : [];
    });
}

function childrenThatAsk({ children, relations }: DefinedAfter, isNew: IsNew, nameOf: NameOf): Reason[] {
  return children
    .filter(({ parent }) => !isNew(parent))
    .flatMap(({ child, parent, isPartition, restricts: isStricter }): Reason[] => {
      const made = relations.find(({ oid }) => oid === child);
      if (!isPartition || !isNew(child))
        return [
          say(
            'It makes %@ a part of %@: whoever reads, changes, empties or drops %@ does so with %@.',
            nameOf(child),
            nameOf(parent),
            nameOf(parent),
            nameOf(child),
          ),
        ];
      if (made?.isUnlogged === true)
        return [say('A crash can lose what others write to %@, as its partition is unlogged.', nameOf(parent))];
      return isStricter || made?.kind !== 'r'
        ? [say('A partition with rules of its own restricts what others may write to %@.', nameOf(parent))]
        : [];
    });
}

/** Programs ask a column for its sequence (`pg_get_serial_sequence`). */
function sequencesThatAsk({ sequences, columns }: DefinedAfter, isNew: IsNew, nameOf: NameOf): Reason[] {
  return sequences.flatMap(({ oid, name, owner }): Reason[] => {
    if (!isNew(oid))
      return [say('It changes which numbers the sequence %@ gives, or to which column it belongs.', name)];
    if (owner === null || isNew(owner.relation)) return [];
    const isOfNewColumn = columns.some(
      ({ relation, number }) => relation === owner.relation && number === owner.column,
    );
    return isOfNewColumn ? [] : [say('It changes which sequence is that of a column of %@.', nameOf(owner.relation))];
  });
}

function takesOver({ kind, schema, name, from }: TakenName): Reason {
  switch (kind) {
    case 'schema':
      return say(
        'A schema %@ takes the place of %@ for the role or search path that names it first: what is created there without a schema goes into %@.',
        name,
        from,
        name,
      );
    case 'function':
      return say(
        '%@.%@ takes over calls of %@: where a search path names %@, %@.%@ is no longer what such a call runs.',
        schema,
        name,
        name,
        schema,
        from,
        name,
      );
    default:
      return say(
        '%@.%@ takes over the name %@: where a search path names %@ first, or the role is %@, it no longer means %@.%@.',
        schema,
        name,
        name,
        schema,
        schema,
        from,
        name,
      );
  }
}
