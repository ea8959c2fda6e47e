/**
 * Which definitions ask because of what the catalog says: those on tables that have rows, and those
 * that take over a name.
 */

import type { PostgresCatalog, TakenName } from './catalog-facts.ts';
import type { PostgresClassification } from './types.ts';
import { type Condition, destructive, say, type Verdict } from './verdict.ts';

export function definitionsThatAsk(
  { conditions }: PostgresClassification,
  { relations, checks, taken }: PostgresCatalog,
): readonly Verdict[] {
  const altered = relations.filter(({ role }) => role === 'altered');
  const foreign = altered.find(({ kind }) => kind === 'f');
  const filled = altered.filter(({ isFilled }) => isFilled);
  const holds = ({ also }: Condition): boolean => {
    if (also?.kind === 'notText') return filled.some(({ texts }) => !texts.includes(also.column));
    return filled.length > 0 && (also === null || checks.length > 0);
  };
  return [
    ...(foreign === undefined ? [] : [destructive(say`It changes what is read of the foreign table ${foreign.name}.`)]),
    ...conditions.filter(holds).map(({ reason }) => destructive(reason)),
    ...taken.map(takesOver),
  ];
}

function takesOver({ kind, schema, name, from }: TakenName): Verdict {
  return kind === 'schema'
    ? destructive(
        say`A schema ${name} takes the place of ${from} for the role or search path that names it first: what is created there without a schema goes into ${name}.`,
      )
    : destructive(
        say`${schema}.${name} takes over the name ${name}: where a search path names ${schema} first, or the role is ${schema}, it no longer means ${from}.${name}.`,
      );
}
