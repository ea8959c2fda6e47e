/**
 * Looks within a transaction of several steps at the next one (spec §12): judges it by the catalog
 * as the steps before left it, and asks what it takes as a whole.
 */

import { valueOrThrow } from '../../answering.ts';
import { askWithin } from '../../count/ask-within.ts';
import type { CountRequest, StepCounting } from '../../count/count-request.ts';
import { codeIsCalled, notCounted, takesNothing } from '../../count/taken.ts';
import { toldInstead } from '../../count/trial.ts';
import type { Database, Rehearsal } from '../../engine.ts';
import { type AskCatalog, takenAsWhole } from '../count.ts';
import { follow } from '../follow.ts';
import { planPreview } from '../preview.ts';
import { goneOrEmptied } from './held-run.ts';

export function countSteps(database: Database): StepCounting {
  const known: number[] = [];
  let isTruncated = false;
  let isWhole = false;
  /** Definitions of earlier steps, whose relations stay locked. */
  let earlier = 0;
  let isBegun = false;
  let hasDefined = false;
  let definitionsRunCode = false;
  const others = async (rehearsal: Rehearsal): Promise<number> => {
    const asked = await guarded(rehearsal)(goneOrEmptied, [JSON.stringify(known), String(isTruncated)]);
    return asked.kind === 'done' ? Number(asked.value[0]?.[0]) : Number.NaN;
  };
  return {
    async judge(counting, rehearsal) {
      const { classifier, context, sql, classified } = counting;
      if (!isBegun) valueOrThrow(await askWithin(rehearsal, withoutJit));
      isBegun = true;
      const mayDiffer = hasDefined;
      hasDefined ||= !classified.classification.isDml;
      if (!mayDiffer && hasDefined) definitionsRunCode ||= await hooksDefinitions(counting);
      if (!mayDiffer) return counting;
      const judged = await follow(seenWithin(database, rehearsal), classifier, context, sql);
      if (judged.kind === 'failed') return valueOrThrow(judged.failure);
      const { classification, run } = judged;
      if (classification.class === 'forbidden')
        return valueOrThrow({ kind: 'unsupported', message: classification.reason });
      if (definitionsRunCode && !classification.isDml) return valueOrThrow(unseenCode);
      definitionsRunCode ||= await hooksDefinitions(counting);
      return { ...counting, classified: { classification, ...(run && { run }) } };
    },
    async insteadOfTrial(counting, rehearsal) {
      const { classifier, context, sql, classified } = counting;
      const { isDml, runsDml, calls } = classified.classification;
      if (isDml || runsDml === true) {
        const seen = seenWithin(database, rehearsal);
        return toldInstead(counting, planning => planPreview(classifier, { ...planning, database: seen }));
      }
      if (calls.length > 0) return codeIsCalled(false);
      const { outlivesRollback, hooksCode } = valueOrThrow(await classifier.ask(context, 'postgresLasting', sql));
      if (hooksCode) return notCounted(bringsUnnamedCode);
      return outlivesRollback ? notCounted(leavesNumbers) : null;
    },
    async before({ classifier, context, sql, classified, elapsed }, rehearsal) {
      const { isDml, runsDml } = classified.classification;
      const taking = valueOrThrow(await classifier.ask(context, 'postgresTaking', sql));
      if (taking === null || isDml || runsDml === true || taking.act === 'rows') return null;
      isTruncated ||= taking.act === 'truncate';
      isWhole = taking.act === 'truncate' || taking.act === 'drop';
      const { taken, oids } = await takenAsWhole(taking, elapsed, guarded(rehearsal), 'without new ones');
      known.push(...oids);
      earlier = await others(rehearsal);
      return taken;
    },
    async after(rehearsal) {
      // An ALTER that rewrites its table takes the old file away, and nothing else.
      if (!isWhole) return takesNothing;
      const more = (await others(rehearsal)) - earlier;
      if (more <= 0) return takesNothing;
      const which = Number.isNaN(more) ? 'more than can be told' : `${more} more relations than the catalog tells of`;
      return { ...notCounted(`It takes ${which}.`), isOpen: true };
    },
  };
}

const leavesNumbers = 'It was not tried, because a rollback leaves something of it: a sequence keeps its place.';

const bringsUnnamedCode = 'It was not tried, because later steps would run the code that it brings unseen.';

const unseenCode = {
  kind: 'unsupported',
  message:
    'An event trigger of an earlier step would run its code here: put the event trigger last, or send it by itself.',
} as const;

async function hooksDefinitions({ classifier, context, sql }: CountRequest): Promise<boolean> {
  return valueOrThrow(await classifier.ask(context, 'postgresLasting', sql)).hooksDefinitions;
}

/** Once for all: compiling a look takes longer than the look. */
const withoutJit = `SELECT pg_catalog.set_config('jit', 'off', true)`;

/** A question that fails would fail the transaction, and its settings would stay. */
function guarded(rehearsal: Rehearsal): AskCatalog {
  const say = async (sql: string, parameters: readonly string[] = []) =>
    valueOrThrow(await askWithin(rehearsal, sql, parameters));
  return async (sql, parameters, seconds) => {
    await say('SAVEPOINT sallyport_look');
    if (seconds !== undefined)
      await say(`SELECT pg_catalog.set_config('statement_timeout', $1, true)`, [`${Math.ceil(seconds * 1_000)}`]);
    const answer = await askWithin(rehearsal, sql, parameters);
    await say('ROLLBACK TO SAVEPOINT sallyport_look');
    await say('RELEASE SAVEPOINT sallyport_look');
    return answer;
  };
}

/** The database as the steps so far have left it, for questions of ours. */
function seenWithin(database: Database, rehearsal: Rehearsal): Database {
  return {
    ...database,
    run: ({ sql, parameters, limits }, sink) => rehearsal.run({ sql, parameters, limits, ours: true }, sink),
  };
}
