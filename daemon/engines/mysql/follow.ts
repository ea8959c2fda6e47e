/**
 * Classifies a MySQL or MariaDB statement in the schema that it runs in. It follows names from
 * views to routines, one round of questions each.
 */

import type { CatalogAnswer } from '../../guard/mysql/catalog.ts';
import { type CatalogItem, keyOf } from '../../guard/mysql/question.ts';
import type { SightText } from '../../guard/mysql/sight-text.ts';
import type { Classification, QualifiedName } from '../../guard/types.ts';
import type { Classified, Facts } from '../classified.ts';
import type { Classifier } from '../classifier.ts';
import type { CallContext, Database } from '../engine.ts';
import { rememberedReads } from '../remembered-reads.ts';
import { askCatalog, nothingBehind } from './follow/catalog.ts';
import { outOfReach } from './follow/masks.ts';
import type { PlainTables } from './follow/plain-tables.ts';
import { outOfSight } from './follow/sight.ts';
import type { IsOurs } from './run/made-tables.ts';

/**
 * @param ownDatabase the connection's saved database, for a call that names none.
 * @param facts `remembered` allows an earlier answer, if the catalog would still answer the same.
 * @param isOurs tells tables that this daemon made.
 * @param plain what is known of tables without views, triggers and the like behind them.
 */
export async function follow(
  database: Database,
  ownDatabase: string | null,
  classifier: Classifier,
  context: CallContext,
  sql: string,
  facts: Facts = 'fresh',
  isOurs: IsOurs = () => false,
  plain?: PlainTables,
): Promise<Classified> {
  const schema = context.schema ?? context.database ?? ownDatabase ?? '';
  const { sight, masks } = context;
  const isWhole = sight === undefined && masks === undefined;
  // Both are asked at once, so the thread answers in one trip.
  const [classified, read] = await Promise.all([
    classifier.ask(context, 'mysqlClass', sql, schema),
    masks === undefined ? null : classifier.ask(context, 'mysqlMaskText', sql, schema),
  ]);
  if (classified.kind !== 'done') return { kind: 'failed', failure: classified };
  const byText = classified.value;
  const made = { makes: madeBy(byText, schema) };
  if (byText.class === 'forbidden' || (byText.question.length === 0 && isWhole)) {
    return {
      kind: 'classified',
      classification: byText,
      run: {
        ...made,
        rowEffects: { tables: [], insertedInto: [], countedTable: null, ownEffect: null, uncounted: null },
      },
    };
  }
  if (read !== null && read.kind !== 'done') return { kind: 'failed', failure: read };
  const mask = read?.value.mask ?? null;
  const ofSight =
    read === null && sight !== undefined ? await classifier.ask(context, 'mysqlSightText', sql, schema) : null;
  if (ofSight !== null && ofSight.kind !== 'done') return { kind: 'failed', failure: ofSight };
  const named = read?.value.text ?? ofSight?.value ?? null;
  const reads = rememberedReads(database);
  const seen = named === null ? '' : JSON.stringify([sight, named, masks, mask]);
  const key = `${seen}${reads.keyOf(context, byText)}`;
  const tables = named?.tables ?? [];
  // A star also shows a column that was added just now, so nothing remembered will do.
  const takesAll = mask !== null && mask.stars.length > 0;
  const isFresh = facts === 'fresh' || takesAll || !tables.every(table => plain?.has(table));
  const known = isFresh ? null : reads.get(key);
  if (known !== null) return known;
  reads.forget(key);
  const answers: CatalogAnswer[] = [];
  // Names in views and routines are looked up in the next round.
  for (let round = 0; ; round++) {
    const found = await classifier.ask(context, 'mysqlFollow', byText, answers);
    if (found.kind !== 'done') return { kind: 'failed', failure: found };
    const { classification, rowEffects } = found.value;
    let { wants } = found.value;
    if (sight !== undefined && named !== null) {
      const told = [...(plain?.answers(tables) ?? []), ...answers];
      const given = [sight, named, byText.question, told] as const;
      // Stored code may be any text, and many names take long to compare: a thread does either.
      const reached =
        isLong(named) || told.some(({ objects }) => objects.length > 0)
          ? await classifier.ask(context, 'mysqlSight', ...given)
          : { kind: 'done' as const, value: (await import('../../guard/mysql/sight.ts')).reachedOutOfSight(...given) };
      if (reached.kind !== 'done') return { kind: 'failed', failure: reached };
      if (reached.value.found !== null) return { kind: 'failed', failure: outOfSight(reached.value.found, named) };
      wants = eachOnce([...wants, ...reached.value.wants]);
    }
    if (masks !== undefined && named !== null && mask !== null) {
      const remembered = (plain?.answers(named.tables) ?? []).filter(
        ({ item }) => !takesAll || item.kind !== 'columns',
      );
      const told = [...remembered, ...answers];
      const given = [masks, named, mask, byText.question, told] as const;
      const reached =
        isLong(named) || told.some(({ objects }) => objects.some(({ kind }) => storedCode.has(kind)))
          ? await classifier.ask(context, 'mysqlMasks', ...given)
          : { kind: 'done' as const, value: (await import('../../guard/mysql/masks.ts')).reachedMasked(...given) };
      if (reached.kind !== 'done') return { kind: 'failed', failure: reached };
      if (reached.value.found !== null) return { kind: 'failed', failure: outOfReach(reached.value.found) };
      wants = eachOnce([...wants, ...reached.value.wants]);
    }
    if (wants.length === 0) {
      const none = answers.some(({ item, objects }) => item.kind !== 'columns' && objects.length > 0)
        ? null
        : nothingBehind(
            answers.flatMap(({ item }) => (item.kind === 'elsewhere' || item.kind === 'columns' ? [] : [item])),
          );
      // Views take rounds. If the statement names only tables, as most reads do, one condition is
      // enough.
      if (none !== null && classification.class === 'read') {
        reads.remember(key, { kind: 'classified', classification, run: { preconditions: [none] } });
      }
      return { kind: 'classified', classification, run: { ...made, rowEffects } };
    }
    if (round === mostRounds) return { kind: 'classified', classification: tooDeep(classification) };
    const asked = await askCatalog(database, context, wants, isOurs);
    if (asked.kind !== 'done') return { kind: 'failed', failure: asked };
    answers.push(...asked.value);
    plain?.told(asked.value);
  }
}

const storedCode: ReadonlySet<string> = new Set(['view', 'routine', 'trigger', 'fired']);

function isLong({ tables, others }: SightText): boolean {
  return tables.length + others.length > mostComparedHere;
}

function eachOnce(items: readonly CatalogItem[]): readonly CatalogItem[] {
  return [...new Map(items.map(item => [keyOf(item), item])).values()];
}

/** The table that a definition makes or alters: the first that it names. */
function madeBy(
  { class: statementClass, needsOwnSession, tables }: Classification,
  schema: string,
): readonly QualifiedName[] {
  if (statementClass !== 'write' || !needsOwnSession) return [];
  return tables.slice(0, 1).map(({ schema: written, name }) => ({ schema: written ?? schema, name }));
}

/** So many names, each compared with up to 300 patterns, take about a millisecond. */
const mostComparedHere = 50;

/** Views and routines that people write don't nest deeper. */
const mostRounds = 12;

function tooDeep(classification: Classification): Classification {
  const reason = 'The views or routines behind it are nested too deeply to be checked; use what they are made of.';
  return { ...classification, class: 'forbidden', reason };
}
