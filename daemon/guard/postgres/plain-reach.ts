/**
 * The short question that settles most reads where tables are hidden: which relations do the names
 * mean? It says enough only together with `plainQuestion`, which says that no code is behind them.
 */

import type { Masks } from '../masks.ts';
import { isHidden, type Sight } from '../sight.ts';
import { ReachedColumns } from './judge-masks.ts';
import { isOwn, withOperatorsQualified } from './lookup-parts.ts';
import { isPlainType } from './names.ts';
import { arrayOf } from './plain-lookup.ts';
import type { CatalogQuestion } from './question.ts';
import type { Reach } from './reach-facts.ts';
import { isSilentCatalog, isSilentFunction } from './table-telling.ts';

const columnNames = `(select coalesce(pg_catalog.json_agg(a.attname order by a.attnum), '[]') from pg_catalog.pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`;

const hasGenerated = `
      or exists (select from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attgenerated <> '' offset 0)`;

const meantWith = (hasMore: string, columns: string): string =>
  withOperatorsQualified(`select coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(
    n.nspname, c.relname, c.relkind, ${isOwn('c.oid')},
    c.relhassubclass or c.relrowsecurity or c.relhasrules
      or exists (select from pg_catalog.pg_inherits i where i.inhrelid = c.oid offset 0)${hasMore}${columns}) order by n.nspname, c.relname), '[]')::pg_catalog.text as names
  from rows from (pg_catalog.unnest(array(select pg_catalog.unnest($1::pg_catalog.text[]))),
    pg_catalog.unnest(array(select pg_catalog.unnest($2::pg_catalog.name[])))) as s(schema, name)
  join pg_catalog.pg_class c on c.relname = s.name
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where case when s.schema is not null then n.nspname = s.schema::pg_catalog.name else pg_catalog.pg_table_is_visible(c.oid) end`);

interface PlainReach {
  /** In: `plainNames`. Out: one text, for `isPlainlyMet`. */
  readonly ask: string;
  /** The same with that text: one row with one boolean, true if the names still mean the same. */
  readonly isSame: string;
}

const reachWith = (hasMore: string, columns: string): PlainReach => {
  const ask = meantWith(hasMore, columns);
  return { ask, isSame: `select pg_catalog.texteq($3, x.names) from (${ask}) x` };
};
export const plainReach = reachWith('', '');
/** For a connection that masks columns. */
export const plainReachOfColumns = reachWith(hasGenerated, `, ${columnNames}`);

/**
 * Everything that the long question follows has to be nothing here, or to be asked by
 * `plainQuestion`: functions of users, also as `t.f`. It finds users' operators and casts unasked.
 * @param asked what `plainQuestion` asks about.
 * @returns null if the names alone don't tell what is reached.
 */
export function plainNames(reach: Reach, asked: CatalogQuestion): readonly [string, string] | null {
  const { relations, functions, types, attributes, changes, truncates, creates, unjudged } = reach;
  if (unjudged !== null || changes || truncates || creates.length > 0) return null;
  const calls = new Set(asked.functions.map(({ name }) => name));
  if (!functions.every(({ schema, name }) => schema === null && isSilentFunction(name) && calls.has(name))) return null;
  const fields = new Set([...asked.attributes, ...calls]);
  if (!attributes.every(name => fields.has(name))) return null;
  if (!types.every(({ schema, name }) => schema === 'pg_catalog' || isPlainType({ schema, name }))) return null;
  return [arrayOf(relations.map(({ schema }) => schema)), arrayOf(relations.map(({ name }) => name))];
}

/** `hasMore`: parents, children, rules or policies; with columns also a generated one. */
type Meant = readonly [
  schema: string,
  name: string,
  kind: string,
  isOwn: boolean,
  hasMore: boolean,
  columns?: readonly string[],
];

/**
 * True if all are tables of their own that may be met, and the text reads no masked column of them;
 * anything else takes the long question.
 */
export function isPlainlyMet(
  { sight, masks }: { readonly sight: Sight; readonly masks: Masks | undefined },
  { relations, reads }: Pick<Reach, 'relations' | 'reads'>,
  answer: string,
): boolean {
  const meant = JSON.parse(answer) as readonly Meant[];
  const columns = masks && new ReachedColumns(masks);
  const isMet = meant.every(([schema, name, kind, isOfServer, hasMore]) =>
    isOfServer
      ? isSilentCatalog(schema, name)
      : (kind === 'r' || kind === 'p') && !hasMore && !isHidden(sight, schema, name),
  );
  if (!isMet || columns === undefined) return isMet;
  if (reads === null) return false;
  for (const [schema, name, , isOwn, , names = []] of meant) {
    const from = relations.flatMap((sought, at) =>
      sought.name === name && (sought.schema ?? schema) === schema ? [at + 1] : [],
    );
    const known = names.map(column => ({ name: column, generated: null }));
    columns.add({ schema, name, isOwn, above: [], from, columns: known }, relations);
  }
  return columns.readBy(reads, false).length === 0;
}
