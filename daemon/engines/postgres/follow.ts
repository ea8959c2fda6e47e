/**
 * Classifies a PostgreSQL statement in the database that it runs on. It follows names from views to
 * functions, one round of questions each.
 */

import { createHash } from 'node:crypto';
import type { PostgresCatalog } from '../../guard/postgres/catalog-facts.ts';
import { catalogLookup, sameCatalogLookup } from '../../guard/postgres/catalog-lookup.ts';
import { plainQuestion } from '../../guard/postgres/plain-lookup.ts';
import { plainNames } from '../../guard/postgres/plain-reach.ts';
import type { Reach } from '../../guard/postgres/reach-facts.ts';
import type { PostgresClassification } from '../../guard/postgres/types.ts';
import { isWholeSight, wholeSight } from '../../guard/sight.ts';
import type { Classified, ClassifiedRun, Facts } from '../classified.ts';
import type { Classifier } from '../classifier.ts';
import type { Answer, CallContext, Database, Precondition } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { rememberedReads } from '../remembered-reads.ts';
import { type InSight, metPlainly, reachesInSight, type Walls } from './follow/in-sight.ts';

/**
 * @param facts `remembered` allows an earlier answer, provided that the catalog still answers the
 *   same.
 */
export async function follow(
  database: Database,
  classifier: Classifier,
  context: CallContext,
  sql: string,
  facts: Facts = 'fresh',
): Promise<Classified> {
  const { sight, masks } = context;
  const isWhole = sight === undefined && masks === undefined;
  // Both are asked in one trip to the classifying threads.
  const [classified, reach] = await Promise.all([
    classifier.ask(context, 'postgresClass', sql),
    isWhole ? null : classifier.ask(context, 'postgresReach', sql),
  ]);
  if (classified.kind !== 'done') return { kind: 'failed', failure: classified };
  const byText = classified.value;
  if (reach === null || byText.class === 'forbidden')
    return classifyByCatalog(database, classifier, context, byText, facts);
  if (reach.kind !== 'done') return { kind: 'failed', failure: reach };
  const walls = { sight: sight ?? { ...wholeSight, show: masks?.show ?? [] }, masks };
  return inSight(database, classifier, context, walls, sql, byText, reach.value, facts);
}

/**
 * Judges by sight and masks first. A statement that reaches a hidden table or a masked column isn't
 * classified: the reason for its class could name what is hidden.
 */
async function inSight(
  database: Database,
  classifier: Classifier,
  context: CallContext,
  walls: Walls,
  sql: string,
  byText: PostgresClassification,
  reach: Reach,
  facts: Facts,
): Promise<Classified> {
  const reads = rememberedReads(database);
  const ofClass = reads.keyOf(context, byText);
  const key = `${ofClass}${namesIn(walls.masks === undefined ? { ...reach, reads: null } : reach)}`;
  const known = facts === 'remembered' ? reads.get(key) : null;
  if (known !== null) return known;
  const question = byText.class === 'read' ? byText.question : null;
  const plain = question === null ? null : plainQuestion(question);
  const names = question === null || plain === null ? null : plainNames(reach, question);
  const plainly = names === null ? null : await metPlainly(database, context, walls, reach, names);
  if (plainly !== null && 'kind' in plainly) return { kind: 'failed', failure: plainly };
  // The names are all that the statement reaches, but only if no code is behind them.
  const first = plainly === null ? null : await classifyByCatalog(database, classifier, context, byText, 'fresh');
  const isPlain = plain !== null && reads.get(ofClass)?.run?.preconditions?.[0]?.sql === plain.sql;
  const found: InSight =
    plainly !== null && isPlain && first?.kind === 'classified' && first.classification.class === 'read'
      ? { kind: 'met', preconditions: [plainly] }
      : reach.isConstant && question === null
        ? { kind: 'met', preconditions: [] }
        : await reachesInSight(database, classifier, context, walls, sql, reach);
  if (found.kind === 'unjudged') return { kind: 'classified', classification: notJudged(byText, walls, found.what) };
  if (found.kind !== 'met') return { kind: 'failed', failure: found };
  const asked = first ?? (await classifyByCatalog(database, classifier, context, byText, 'fresh'));
  if (asked.kind === 'failed' || asked.classification.class !== 'read') return asked;
  const ofCatalog = byText.question === null ? [] : reads.get(ofClass)?.run?.preconditions;
  const preconditions = [...(ofCatalog ?? []), ...found.preconditions];
  const judged = { ...asked, run: { ...asked.run, preconditions } };
  if (ofCatalog !== undefined) reads.remember(key, judged);
  return judged;
}

/** What a statement reaches, without places in its text: other values in it would move them. */
function namesIn(reach: Reach): string {
  return JSON.stringify(reach, (field, value) => (field === 'at' || field === 'constants' ? undefined : value));
}

function notJudged(byText: PostgresClassification, { sight }: Walls, what: string): PostgresClassification {
  const wall = isWholeSight(sight) ? 'masks columns' : 'shows only some tables';
  const reason = `This connection ${wall}, and ${what} can't be held to that; use list_tables and describe_table, and name in SQL the tables that they tell of.`;
  return { ...byText, class: 'forbidden', reason, reasonParts: [], question: null };
}

async function classifyByCatalog(
  database: Database,
  classifier: Classifier,
  context: CallContext,
  byText: PostgresClassification,
  facts: Facts,
): Promise<Classified> {
  if (byText.question === null || byText.class === 'forbidden') {
    const run = { isStateless: byText.class === 'read', mayRunAsReader: isForReader(byText), ...definedBy(byText) };
    return { kind: 'classified', classification: byText, run };
  }
  const reads = rememberedReads(database);
  const key = reads.keyOf(context, byText);
  const known = facts === 'remembered' ? reads.get(key) : null;
  if (known !== null) return known;
  const ask: AskCatalog = (sql, parameters) => lookUp(database, context, sql, parameters);
  const asked = await byCatalog(classifier, ask, context, byText);
  if (asked.kind === 'failed') return asked;
  // A statement that may write is classified by the catalog of that moment, so nothing of it is
  // remembered.
  if (asked.classification.class === 'read') reads.remember(key, asked);
  else reads.forget(key);
  const { isStateless = false, mayRunAsReader = false } = asked.run ?? {};
  return { ...asked, run: { isStateless, mayRunAsReader, ...definedBy(byText) } };
}

/** What is held before its COMMIT. What runs alone can't be: it is judged by its text. */
function definedBy({
  defines,
  needsOwnSession,
}: PostgresClassification): Pick<NonNullable<ClassifiedRun['run']>, 'defines'> {
  return defines === null || needsOwnSession ? {} : { defines };
}

/** Asks the catalog. @returns the rows. */
export type AskCatalog = (
  sql: string,
  parameters: readonly string[],
) => Promise<Answer<readonly (readonly unknown[])[]>>;

/** Follows a text's classification through the catalog that `ask` reaches. */
export async function byCatalog(
  classifier: Classifier,
  ask: AskCatalog,
  context: CallContext,
  byText: PostgresClassification,
): Promise<Classified> {
  let classification = byText;
  const preconditions: Precondition[] = [];
  let isStateless = byText.calls.length === 0;
  const found = (): Classified => ({
    kind: 'classified',
    classification,
    run: { preconditions, isStateless, mayRunAsReader: isForReader(classification) },
  });
  for (let round = 0; classification.question !== null && classification.class !== 'forbidden'; round++) {
    const { question } = classification;
    if (round === mostRounds) return { kind: 'classified', classification: tooDeep(classification) };
    const plain = plainQuestion(question);
    if (plain !== null) {
      const answer = await ask(plain.sql, plain.parameters);
      if (answer.kind !== 'done') return { kind: 'failed', failure: answer };
      if (answer.value[0]?.[0] === true) {
        preconditions.push(plain);
        return found();
      }
    }
    const asked = JSON.stringify(question);
    const answer = await ask(catalogLookup, [asked]);
    if (answer.kind !== 'done') return { kind: 'failed', failure: answer };
    const text = String(answer.value[0]?.[0]);
    preconditions.push({
      sql: sameCatalogLookup,
      parameters: [asked, createHash('sha256').update(text).digest('hex')],
    });
    const catalog: PostgresCatalog = JSON.parse(text);
    // Nobody can tell what a user's function leaves in a session: it may be a lock or a cursor.
    isStateless &&= catalog.functions.length === 0;
    const next = await classifier.ask(context, 'postgresFollow', classification, catalog);
    if (next.kind !== 'done') return { kind: 'failed', failure: next };
    classification = next.value;
  }
  return found();
}

/**
 * True if the statement may run as the reader role. That is so only if the classification is sure
 * about everything that runs: hidden rows would make an answer smaller without a word.
 */
function isForReader({ class: given, dependsOnRole }: PostgresClassification): boolean {
  return given === 'read' && !dependsOnRole;
}

/** Each view, function or domain that is used by another takes a round; nobody stacks so many. */
const mostRounds = 12;

function tooDeep<Judged extends ClassifiedRun['classification']>(classification: Judged): Judged {
  const reason = 'The views or functions behind it are nested too deeply to be checked; use what they are made of.';
  return { ...classification, class: 'forbidden', reason };
}
