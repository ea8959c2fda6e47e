/** Asks within a transaction of several steps what the next one takes as a whole (spec §12). */

import { valueOrThrow } from '../../answering.ts';
import { askWithin } from '../../count/ask-within.ts';
import type { StepCounting } from '../../count/count-request.ts';
import { takesNothing } from '../../count/taken.ts';
import { takenAsWhole } from '../count.ts';

export function countSteps(): StepCounting {
  return {
    async before({ classifier, context, sql, classified, elapsed }, rehearsal) {
      if (classified.classification.isDml) return null;
      const taking = valueOrThrow(await classifier.ask(context, 'sqliteTaking', sql));
      const ask = (question: string, parameters: Parameters<typeof askWithin>[2]) =>
        askWithin(rehearsal, question, parameters);
      if (taking === null) return null;
      return { taken: await takenAsWhole(taking, elapsed, ask, null), hasTriggers: false };
    },
    after: async () => takesNothing,
  };
}
