/**
 * Follows a data change through its triggers, rules and what they call, and refuses what may
 * survive a rollback.
 */

import { quoteQualified } from '../../../guard/identifiers.ts';
import type { BehindRequest, Hooks } from '../../../guard/postgres/behind-change.ts';
import type { PostgresCatalog } from '../../../guard/postgres/catalog-facts.ts';
import { catalogLookup } from '../../../guard/postgres/catalog-lookup.ts';
import type { QualifiedName } from '../../../guard/types.ts';
import { valueOrThrow } from '../../answering.ts';
import type { Classifier } from '../../classifier.ts';
import type { WithDatabase } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';
import { type Planning, refuse } from '../../preview-plan.ts';
import { arrayText } from '../dialect/parameters.ts';
import { hooksOfReached } from './facts.ts';

/** Partitions and children change with their table, and cascades change what refers to it. */
const hooksQuestion = `
WITH RECURSIVE reached (oid) AS (
  SELECT CAST(pg_catalog.to_regclass(n.name) AS pg_catalog.oid) FROM pg_catalog.unnest(CAST($1 AS pg_catalog.text[])) AS n (name)
  UNION
  SELECT next.oid FROM reached AS r CROSS JOIN LATERAL (
    SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i WHERE i.inhparent = r.oid
    UNION ALL
    SELECT c.conrelid FROM pg_catalog.pg_constraint AS c
    WHERE c.confrelid = r.oid AND c.contype = 'f' AND (c.confdeltype IN ('c', 'n', 'd') OR c.confupdtype IN ('c', 'n', 'd'))
  ) AS next (oid)
) SELECT CAST(${hooksOfReached} AS pg_catalog.text)`;

export const noHooks: Hooks = {
  functions: [],
  definitions: [],
  expressions: [],
  tables: [],
  hasDomains: false,
  usesNumbers: false,
};
/** Each trigger that sets off another takes a round, as does each function that calls another. */
const mostRounds = 24;

/**
 * Call it within `answering`. @param atFirst what is behind the tables that the statement itself
 * writes to.
 * @returns whether code behind it may use up numbers of a sequence.
 */
export async function refuseLasting(
  classifier: Classifier,
  planning: WithDatabase<Planning>,
  writes: readonly QualifiedName[],
  atFirst: Hooks,
): Promise<boolean> {
  const { database, context, classification } = planning;
  const ask = async (question: string, parameter: string) =>
    JSON.parse(String(valueOrThrow(await lookUp(database, context, question, [parameter]))[0]?.[0]));
  const seen = new Set(atFirst.tables.map(quoted));
  let hooks = atFirst;
  let usesNumbers = false;
  let named: BehindRequest['named'] = { changed: atFirst.hasDomains ? writes : [], called: classification.calls };
  let [catalog, asked]: [PostgresCatalog | null, readonly string[]] = [null, []];
  for (let round = 0; round < mostRounds; round++) {
    const behind = valueOrThrow(await classifier.ask(context, 'postgresBehind', { hooks, named, catalog, asked }));
    if (behind.lasting !== null) {
      refuse(
        `What it sets off may stay behind when it is rolled back (${behind.lasting}), so the statement is not tried out.`,
      );
    }
    usesNumbers ||= behind.usesNumbers;
    if (behind.question === null) return usesNumbers;
    asked = behind.asked;
    named = { changed: [], called: [] };
    const found: PostgresCatalog = await ask(catalogLookup, JSON.stringify(behind.question));
    const changed = found.relations.filter(({ role }) => role === 'changed');
    const others = changed.map(quoted).filter(table => !seen.has(table));
    hooks = others.length === 0 ? noHooks : await ask(hooksQuestion, arrayText(others));
    usesNumbers ||= hooks.usesNumbers;
    for (const table of [...others, ...hooks.tables.map(quoted)]) seen.add(table);
    catalog = found;
  }
  refuse('It sets off more code than can be looked through, so the statement is not tried out.');
}

function quoted({ schema, name }: QualifiedName): string {
  return quoteQualified('postgres', schema, name);
}
