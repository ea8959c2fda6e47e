/** Asks within a transaction of several steps what the next one takes as a whole (spec §12). */

import { valueOrThrow } from '../../answering.ts';
import { askWithin } from '../../count/ask-within.ts';
import type { StepCounting } from '../../count/count-request.ts';
import { notCounted, takesNothing } from '../../count/taken.ts';
import type { Rehearsal } from '../../engine.ts';
import { type AskCatalog, takenAsWhole } from '../count.ts';
import { goneOrEmptied } from './held-run.ts';

export function countSteps(): StepCounting {
  const known: number[] = [];
  let isTruncated = false;
  /** Definitions of earlier steps, whose relations stay locked. */
  let earlier = 0;
  const others = async (rehearsal: Rehearsal): Promise<number> => {
    const asked = await guarded(rehearsal)(goneOrEmptied, [JSON.stringify(known), String(isTruncated)]);
    return asked.kind === 'done' ? Number(asked.value[0]?.[0]) : Number.NaN;
  };
  return {
    async before({ classifier, context, sql, classified, elapsed }, rehearsal) {
      const { isDml, runsDml } = classified.classification;
      const taking = valueOrThrow(await classifier.ask(context, 'postgresTaking', sql));
      if (taking === null || isDml || runsDml === true || taking.act === 'rows') return null;
      isTruncated ||= taking.act === 'truncate';
      const { taken, oids } = await takenAsWhole(taking, elapsed, guarded(rehearsal));
      known.push(...oids);
      earlier = await others(rehearsal);
      return taken;
    },
    async after(rehearsal) {
      const more = (await others(rehearsal)) - earlier;
      if (more <= 0) return takesNothing;
      const which = Number.isNaN(more) ? 'more than can be told' : `${more} more relations than the catalog tells of`;
      return { ...notCounted(`It takes ${which}.`), isOpen: true };
    },
  };
}

/** A question that fails would fail the transaction, and its settings would stay. */
function guarded(rehearsal: Rehearsal): AskCatalog {
  return async (sql, parameters, seconds) => {
    const set = (name: string, value: string) =>
      askWithin(rehearsal, 'SELECT pg_catalog.set_config($1, $2, true)', [name, value]);
    valueOrThrow(await askWithin(rehearsal, 'SAVEPOINT sallyport_look'));
    valueOrThrow(await set('jit', 'off'));
    if (seconds !== undefined) await set('statement_timeout', `${Math.ceil(seconds * 1_000)}`);
    const answer = await askWithin(rehearsal, sql, parameters);
    valueOrThrow(await askWithin(rehearsal, 'ROLLBACK TO SAVEPOINT sallyport_look'));
    return answer;
  };
}
