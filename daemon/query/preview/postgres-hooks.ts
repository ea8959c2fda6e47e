/** Follows a data change on PostgreSQL through its triggers, rules and what they call, and refuses what a rollback may leave behind. */

import { answered } from '../answering.ts';
import type { QualifiedName } from '../classification/classification.ts';
import type { PostgresCatalog } from '../classification/postgres/catalog-facts.ts';
import { catalogLookup } from '../classification/postgres/catalog-lookup.ts';
import { quoteQualified } from '../identifiers.ts';
import type { Judging } from '../judging.ts';
import { lookUp } from '../look-up.ts';
import { type Planning, refuse } from './plan.ts';
import type { Hooks } from './postgres-behind.ts';
import { arrayText } from './postgres-facts.ts';

/** Partitions and children are changed with their table, and cascades change what refers to it. Built-in triggers leave nothing. */
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
), firing AS (
  SELECT t.oid, t.tgqual, p.proname, n.nspname FROM pg_catalog.pg_trigger AS t JOIN pg_catalog.pg_proc AS p ON p.oid = t.tgfoid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
  WHERE t.tgrelid IN (SELECT oid FROM reached) AND NOT t.tgisinternal AND t.tgenabled <> 'D' AND n.nspname <> 'pg_catalog'
)
SELECT CAST(pg_catalog.json_build_object(
  'functions', COALESCE((SELECT pg_catalog.json_agg(DISTINCT CAST(pg_catalog.json_build_object('schema', f.nspname, 'name', f.proname) AS pg_catalog.jsonb))
    FROM firing AS f), CAST('[]' AS pg_catalog.json)),
  'definitions', COALESCE((SELECT pg_catalog.json_agg(d.definition) FROM (
    SELECT pg_catalog.pg_get_triggerdef(f.oid) AS definition FROM firing AS f WHERE f.tgqual IS NOT NULL
    UNION ALL
    SELECT pg_catalog.pg_get_ruledef(w.oid) FROM pg_catalog.pg_rewrite AS w
    WHERE w.ev_class IN (SELECT oid FROM reached) AND w.ev_type <> '1' AND w.ev_enabled <> 'D') AS d), CAST('[]' AS pg_catalog.json))
) AS pg_catalog.text)`;

const noHooks: Hooks = { functions: [], definitions: [] };
/** A trigger that sets off another takes one, as each function does that calls another. */
const mostRounds = 24;

/** Within `answering`. @param writes what the statement itself writes to. */
export async function refuseLasting(
  judging: Judging,
  planning: Planning,
  writes: readonly QualifiedName[],
): Promise<void> {
  const { database, context, classification } = planning;
  const ask = async (question: string, parameter: string) =>
    JSON.parse(String(answered(await lookUp(database, context, question, [parameter]))[0]?.[0]));
  const seen = new Set<string>();
  let named: { changed: readonly QualifiedName[]; called: readonly QualifiedName[] } = {
    changed: writes,
    called: classification.calls,
  };
  let [catalog, asked]: [PostgresCatalog | null, readonly string[]] = [null, []];
  for (let round = 0; round < mostRounds; round++) {
    const changed = catalog === null ? writes : catalog.relations.filter(({ role }) => role === 'changed');
    const tables = changed.map(({ schema, name }) => quoteQualified('postgres', schema, name));
    const others = tables.filter(table => !seen.has(table) && seen.add(table).has(table));
    const hooks: Hooks = others.length === 0 ? noHooks : await ask(hooksQuestion, arrayText(others));
    const behind = answered(await judging.ask(context, 'postgresBehind', { hooks, named, catalog, asked }));
    if (behind.lasting !== null) {
      refuse(
        `What it sets off may stay behind when it is rolled back (${behind.lasting}), so the statement is not previewed.`,
      );
    }
    if (behind.question === null) return;
    asked = behind.asked;
    named = { changed: [], called: [] };
    catalog = await ask(catalogLookup, JSON.stringify(behind.question));
  }
  refuse('It sets off more code than can be looked through, so the statement is not previewed.');
}
