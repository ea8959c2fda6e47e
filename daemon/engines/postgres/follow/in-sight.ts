/**
 * Follows what a statement reaches on a connection that hides tables or masks columns, one round of
 * the catalog for each layer of views and functions. What can't be followed is refused.
 */

import { createHash } from 'node:crypto';
import type { Masks } from '../../../guard/masks.ts';
import { ReachedColumns } from '../../../guard/postgres/judge-masks.ts';
import {
  type BehindText,
  type Effects,
  hiddenCreated,
  judgeRound,
  type Origin,
  questionOfRound,
  type ReachRound,
  roundOf,
} from '../../../guard/postgres/judge-reach.ts';
import { isPlainlyMet, type plainNames, plainReach, plainReachOfColumns } from '../../../guard/postgres/plain-reach.ts';
import { ofManyNames, type Reach, type ReachAnswer } from '../../../guard/postgres/reach-facts.ts';
import { reachLookup, sameReachLookup } from '../../../guard/postgres/reach-lookup.ts';
import { isWholeSight, type Sight } from '../../../guard/sight.ts';
import type { QualifiedName } from '../../../guard/types.ts';
import type { Classifier } from '../../classifier.ts';
import type { Answer, CallContext, Database, DatabaseFailure, Precondition } from '../../engine.ts';
import { lookUp } from '../../look-up.ts';

export type InSight =
  /** Holds for a read as long as the catalog gives the same answers. */
  | { readonly kind: 'met'; readonly preconditions: readonly Precondition[] }
  | { readonly kind: 'unjudged'; readonly what: string }
  | DatabaseFailure;

export interface Walls {
  readonly sight: Sight;
  readonly masks: Masks | undefined;
}

const mostRounds = 12;
const nothingDone: Effects = { changes: false, truncates: false };

/** @param reach of the client's own text, `sql`. */
export async function reachesInSight(
  database: Database,
  classifier: Classifier,
  context: CallContext,
  walls: Walls,
  sql: string,
  reach: Reach,
): Promise<InSight> {
  const found = await follows(database, classifier, context, walls, sql, reach, false);
  if (found.kind !== 'met' || reach.explains === 'no' || isWholeSight(walls.sight)) return found;
  // One that runs names the keys of others that it looks at.
  const truncates = reach.truncates || reach.explains === 'run';
  const alone = { sight: walls.sight, masks: undefined };
  const planned = await follows(database, classifier, context, alone, sql, { ...reach, truncates }, true);
  if (planned.kind === 'met') return { kind: 'met', preconditions: [...found.preconditions, ...planned.preconditions] };
  return planned.kind === 'unjudged' || planned.kind === 'query_failed'
    ? { kind: 'unjudged', what: 'the plan of this statement' }
    : planned;
}

async function follows(
  database: Database,
  classifier: Classifier,
  context: CallContext,
  { sight, masks }: Walls,
  sql: string,
  reach: Reach,
  isPlan: boolean,
): Promise<InSight> {
  const unjudged = unjudgedOf([reach], masks);
  if (unjudged !== null) return { kind: 'unjudged', what: unjudged };
  const seen = new Set<string>();
  const preconditions: Precondition[] = [];
  let round = roundOf([{ reach, origin: null, path: null }], seen, nothingDone);
  let effects: Effects = reach;
  let bendsPath = false;
  const columns = masks && new ReachedColumns(masks);
  let unlooked: readonly Reach[] = [reach];
  for (let count = 0; round !== null || count === 0; count++) {
    if (count === mostRounds) return { kind: 'unjudged', what: 'views or functions nested so deeply' };
    const asked = round ?? emptyRound(reach);
    const answer = await askCatalog(database, context, asked, { columns: masks !== undefined, policies: isPlan });
    if (answer.kind !== 'done') return answer;
    const { value, precondition } = answer;
    preconditions.push(precondition);
    const made = count === 0 ? hiddenCreated(sight, reach, value) : null;
    if (made !== null) return isThere(made);
    const verdict = judgeRound(sight, asked, value, isPlan);
    if (verdict.kind === 'hidden') return isMissing(verdict.origin, sql);
    for (const relation of value.relations) columns?.add(relation, asked.relations);
    const read = maskedIn(columns, unlooked, count > 0);
    if (read !== null) return read;
    if (verdict.kind === 'unjudged') return verdict;
    bendsPath ||= verdict.texts.some(text => text.bendsPath);
    const behind = await readBehind(classifier, context, verdict.texts);
    if (behind.kind !== 'done') return behind;
    const unread = unjudgedOf(behind.value, masks);
    if (unread !== null) return { kind: 'unjudged', what: unread };
    // What a function changes cascades and sets triggers off too, and so does what a view leads to.
    effects = {
      changes: effects.changes || behind.value.some(each => each.changes),
      truncates: effects.truncates || behind.value.some(each => each.truncates),
    };
    unlooked = behind.value;
    const path = bendsPath ? '*' : null;
    const parts = behind.value.map(
      (each, at) => ({ reach: each, origin: verdict.texts[at]?.origin ?? null, path }) as const,
    );
    round = roundOf(parts, seen, effects);
  }
  // The last code names nothing new.
  return maskedIn(columns, unlooked, true) ?? { kind: 'met', preconditions };
}

function unjudgedOf(texts: readonly Reach[], masks: Masks | undefined): string | null {
  const isLong = masks !== undefined && texts.some(({ reads }) => reads === null);
  return texts.find(({ unjudged }) => unjudged !== null)?.unjudged ?? (isLong ? ofManyNames : null);
}

function maskedIn(
  columns: ReachedColumns | undefined,
  texts: readonly Reach[],
  areStored: boolean,
): Extract<DatabaseFailure, { kind: 'masked' }> | null {
  const read = texts.flatMap(({ reads }) => (reads && columns?.readBy(reads, areStored)) ?? []);
  return read.length === 0 ? null : { kind: 'masked', columns: read };
}

/** @returns what must stay so; null if only the long question can tell. */
export async function metPlainly(
  database: Database,
  context: CallContext,
  walls: Walls,
  reach: Reach,
  names: NonNullable<ReturnType<typeof plainNames>>,
): Promise<Precondition | DatabaseFailure | null> {
  const { ask, isSame } = walls.masks === undefined ? plainReach : plainReachOfColumns;
  const answer = await lookUp(database, context, ask, names);
  if (answer.kind !== 'done') return answer;
  const text = String(answer.value[0]?.[0]);
  return isPlainlyMet(walls, reach, text) ? { sql: isSame, parameters: [...names, text] } : null;
}

/** The names that a statement gives are looked at, even if it names nothing else. */
function emptyRound(reach: Reach): ReachRound {
  const rest = { operators: [], attributes: [], changes: reach.changes, truncates: reach.truncates, asTable: false };
  const first: Origin = { kind: 'relation', sought: { schema: null, name: '', at: null } };
  return { relations: [], functions: [], types: [], rest, first };
}

async function askCatalog(
  database: Database,
  context: CallContext,
  round: ReachRound,
  settings: Parameters<typeof questionOfRound>[1],
): Promise<
  { readonly kind: 'done'; readonly value: ReachAnswer; readonly precondition: Precondition } | DatabaseFailure
> {
  const asked = JSON.stringify(questionOfRound(round, settings));
  const answer = await lookUp(database, context, reachLookup, [asked]);
  if (answer.kind !== 'done') return answer;
  const text = String(answer.value[0]?.[0]);
  const digest = createHash('sha256').update(text).digest('hex');
  return { kind: 'done', value: JSON.parse(text), precondition: { sql: sameReachLookup, parameters: [asked, digest] } };
}

async function readBehind(
  classifier: Classifier,
  context: CallContext,
  texts: readonly BehindText[],
): Promise<Answer<readonly Reach[]>> {
  if (texts.length === 0) return { kind: 'done', value: [] };
  return classifier.ask(
    context,
    'postgresStoredReach',
    texts.map(({ text }) => text),
  );
}

/** What the server answers for a name that it doesn't know (parse_relation.c, parse_func.c). */
function isMissing({ kind, sought }: Origin, sql: string): DatabaseFailure {
  const name = [sought.schema, sought.name].filter(part => part !== null).join('.');
  const place = sought.at === null ? '' : `\nAt character ${charactersBefore(sql, sought.at) + 1}.`;
  if (kind === 'function')
    return {
      kind: 'query_failed',
      code: '42883',
      message: `function ${name}(${(sought.constants ?? []).join(', ')}) does not exist\nHint: No function matches the given name and argument types. You might need to add explicit type casts.${place}`,
    };
  if (kind === 'type')
    return { kind: 'query_failed', code: '42704', message: `type ${JSON.stringify(name)} does not exist${place}` };
  return { kind: 'query_failed', code: '42P01', message: `relation "${name}" does not exist${place}` };
}

function isThere({ name }: QualifiedName): DatabaseFailure {
  return { kind: 'query_failed', code: '42P07', message: `relation "${name}" already exists` };
}

function charactersBefore(sql: string, bytes: number): number {
  return [...Buffer.from(sql).subarray(0, bytes).toString()].length;
}
