/**
 * Counts what a statement takes on PostgreSQL: by a trial if it takes rows, else from the catalog
 * and by reading (spec §12).
 */

import { madeHere, withOperatorsQualified } from '../../guard/postgres/lookup-parts.ts';
import type { PostgresTaking } from '../../guard/postgres/taking.ts';
import { valueOrThrow } from '../answering.ts';
import { type CountRequest, namedIn } from '../count/count-request.ts';
import { countWhole } from '../count/count-whole.ts';
import { codeIsCalled, type Taken, type TakenTable, takenByChanges, takesNothing, untold } from '../count/taken.ts';
import { shownName } from '../count/taken-words.ts';
import { type Trial, toldByPlan, tryOut } from '../count/trial.ts';
import type { AskWithin, HeldDefinition, Parameter, WithDatabase } from '../engine.ts';
import { lookUp } from '../look-up.ts';
import { type TakenCatalog, type TakenRelation, takenQuestion } from './count/catalog.ts';

/** Call it within `answering`. */
export async function count(counting: WithDatabase<CountRequest>): Promise<Taken> {
  const { classifier, database, context, sql, classified, elapsed } = counting;
  const { isDml, runsDml, calls, needsOwnSession } = classified.classification;
  const { defines } = classified.run ?? {};
  if (defines !== undefined && classified.classification.class === 'write') return triedDefinition(counting, defines);
  const taking = valueOrThrow(await classifier.ask(context, 'postgresTaking', sql));
  const changesRows = isDml || runsDml === true;
  const trial = changesRows ? await triedOut(counting) : null;
  if (trial?.kind === 'counted') return takenByChanges(trial.changes, namedIn(counting));
  const notes = trial === null ? [] : [trial.why];
  if (taking === null) {
    if (changesRows) return { ...takesNothing, notes };
    return calls.length > 0 ? codeIsCalled(needsOwnSession) : untold;
  }
  if (taking.database !== null) {
    const [size = []] = valueOrThrow(await lookUp(database, context, sizeOfDatabase, [taking.database]));
    const name = `database ${shownName(taking.database)} (${size[0] ?? 'not there'}) with all that is in it`;
    return { ...takesNothing, objects: [{ act: 'dropped', name }], notes };
  }
  const ask: AskCatalog = (question, parameters, timeoutSeconds = context.timeoutSeconds) =>
    lookUp(database, { ...context, timeoutSeconds }, question, parameters);
  const { taken } = await takenAsWhole(taking, elapsed, ask);
  return { ...taken, notes: [...notes, ...taken.notes] };
}

/** Asks the catalog, or counts a table, within so many seconds. */
export type AskCatalog = (sql: string, parameters: readonly Parameter[], seconds?: number) => ReturnType<AskWithin>;

/**
 * What a statement takes without looking at single rows, and what the catalog says. Call it within
 * `answering`.
 */
export async function takenAsWhole(
  taking: PostgresTaking,
  elapsed: () => number,
  ask: AskCatalog,
  ofTransaction?: 'without new ones',
): Promise<{ readonly taken: Taken; readonly catalog: TakenCatalog }> {
  const asked = await ask(takenQuestion, [JSON.stringify(taking)]);
  const isMissing = asked.kind === 'query_failed' && taking.objects.length > 0;
  const [row] = valueOrThrow(isMissing ? await ask(takenQuestion, [JSON.stringify(withoutObjects(taking))]) : asked);
  const catalog: TakenCatalog = JSON.parse(String(row?.[0]));
  const made = ofTransaction === undefined ? [] : valueOrThrow(await ask(madeOfThese, [JSON.stringify(catalog.oids)]));
  const isNew = new Set(made.map(([oid]) => Number(oid)));
  const relations = catalog.relations.filter(({ oid }) => !isNew.has(Number(oid)));
  const counts = await countWhole(relations, elapsed, async ({ source }, seconds) => {
    const answer = await ask(countOf(source), [], seconds);
    return answer.kind === 'done' ? Number(answer.value[0]?.[0]) : null;
  });
  const tables = relations.map((relation, at) => ({ ...takenTable(taking, relation), ...counts[at] }));
  const notes = catalog.triggers.map(
    name => `The trigger ${shownName(name)} runs too; what it takes is counted as it runs.`,
  );
  return { taken: { tables, objects: catalog.objects, notes, isOpen: false }, catalog };
}

const madeOfThese = withOperatorsQualified(`SELECT CAST(m.attrelid AS pg_catalog.text) FROM (${madeHere}) AS m
WHERE m.attrelid IN (SELECT CAST(k.value AS pg_catalog.oid) FROM pg_catalog.json_array_elements_text(CAST($1 AS pg_catalog.json)) AS k (value))`);

/** Tables of another database can't be read from here. */
const sizeOfDatabase = withOperatorsQualified(`SELECT pg_catalog.pg_size_pretty(pg_catalog.pg_database_size(d.oid))
FROM pg_catalog.pg_database AS d WHERE d.datname = CAST($1 AS pg_catalog.name)`);

export function countOf(source: string): string {
  return `SELECT CAST(pg_catalog.count(*) AS pg_catalog.text) FROM ${source}`;
}

/** The server has no question for whether such an object exists that doesn't fail. */
export function withoutObjects(taking: PostgresTaking): PostgresTaking {
  return { ...taking, objects: [] };
}

/** What the statement takes of a relation, not counted yet. */
export function takenTable(taking: PostgresTaking, relation: TakenRelation): TakenTable {
  const { name, act, because } = relation;
  const kept = taking.act === 'alter' && because !== 'dependant';
  const whole = kept ? 'altered' : taking.act === 'truncate' ? 'emptied' : 'dropped';
  const takesRows = act === 'deleted' || act === 'updated';
  return {
    name,
    act: act ?? whole,
    rows: null,
    isEstimate: true,
    isMost: takesRows,
    isAll: !takesRows,
    because: because === null ? null : reasons[because](relation),
  };
}

const ofRelation = ({ of }: TakenRelation): string => (of === null ? 'it' : shownName(of));
const reasons = {
  child: (relation: TakenRelation) => `a child of ${ofRelation(relation)}`,
  reference: (relation: TakenRelation) => `which refers to ${ofRelation(relation)}`,
  dependant: () => 'which depends on what is dropped',
  use: ({ columns, of }: TakenRelation) => {
    const [one = '', ...more] = columns.map(shownName);
    if (of?.startsWith('schema ') === true) return `which is in ${of}`;
    if (one === '') return `which uses ${of}`;
    return more.length === 0
      ? `whose column ${one} uses ${of}`
      : `whose columns ${[one, ...more].join(', ')} use ${of}`;
  },
};

/**
 * Only what seems to add is tried: it takes the locks that it would take unasked. Its run is held
 * to what is shown.
 */
async function triedDefinition(counting: WithDatabase<CountRequest>, defines: HeldDefinition['names']): Promise<Taken> {
  const { database, context, sql, parameters, sparesNumbers } = counting;
  const tried = sparesNumbers ? notTried : valueOrThrow(await tryOut(database, context, { sql, parameters, defines }));
  return tried.kind === 'counted'
    ? takenByChanges(tried.changes, namedIn(counting))
    : { ...takesNothing, notes: [tried.why] };
}

const notTried: Trial = {
  kind: 'not_counted',
  why: 'What it changes of what is there is found when it runs: if it is anything, you are asked again.',
};

async function triedOut(counting: WithDatabase<CountRequest>): Promise<Trial> {
  const { database, context, sql, parameters } = counting;
  const told = await toldByPlan(counting);
  return told ?? valueOrThrow(await tryOut(database, context, { sql, parameters }));
}
