/** Why a statement was not classified. It did not run. */

import type { DatabaseFailure } from '../engines/engine.ts';

export const unclassified = {
  late: refusal('could not be classified in time, so it was not run. Write it shorter or more plainly.'),
  /** It had not even its processor time: others have the processor. */
  starved: busy('machine'),
  noThread: refusal(
    "was not run: nothing can be classified now, as Sallyport's log says. Ask the user to restart Sallyport.",
  ),
  tookItsShare: busy('own_statements'),
  ended: (why: string) =>
    refusal(`could not be classified, so it was not run: ${why}. Write it shorter or more plainly.`),
};

function busy(who: 'machine' | 'own_statements'): DatabaseFailure {
  return { kind: 'busy', why: { who } };
}

function refusal(what: string): DatabaseFailure {
  return { kind: 'unsupported', message: `The statement ${what}` };
}
