/** Words why a statement was not classified, for its client. The statement did not run. */

import type { DatabaseFailure } from '../engines/engine.ts';

export const unclassified = {
  late: refusal('could not be judged in time, so it was not run. Write it shorter or more plainly.'),
  noThread: refusal(
    "was not run: nothing can be judged now, as Sallyport's log says. Ask the user to restart Sallyport.",
  ),
  tookItsShare: refusal(
    'was not run: judging your earlier statements took all the time you have for that. Wait a moment, then send it again; write statements shorter or more plainly.',
  ),
  manyWait: (milliseconds: number) =>
    refusal(`was not judged within ${milliseconds / 1000} s, so it was not run. Wait a moment, then send it again.`),
  ended: (why: string) => refusal(`could not be judged, so it was not run: ${why}. Write it shorter or more plainly.`),
};

function refusal(what: string): DatabaseFailure {
  return { kind: 'unsupported', message: `The statement ${what}` };
}
