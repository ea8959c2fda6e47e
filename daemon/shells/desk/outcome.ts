/** What became of an answer to what clients ask (spec §12), in sentences for every shell. */

import { type ReasonPart, say } from '../../guard/reason.ts';
import type { DeskAnswer } from '../messages/ask.ts';
import type { DeskDecision } from '../messages/desk.ts';
import { saidOf } from './facts.ts';

type Run = DeskDecision['ran'][number];
type Outcome = Pick<DeskDecision, 'said' | 'problem'>;

/**
 * @param isQuestions their calls waited.
 * @param left how many behind the last that ran still wait.
 */
export function outcomeOf(
  { ids, answer }: { readonly ids: readonly string[]; readonly answer: DeskAnswer },
  ran: readonly Run[],
  isQuestions: boolean,
  left: number,
): Outcome {
  const failed = ran.find(run => run.failed !== null);
  if (answer === 'run') {
    const said = ran.flatMap(run => (run.failed === null ? [saidOf(ranWords(run))] : []));
    return { said, problem: failed === undefined ? null : saidOf(failedWords(failed, ids, left)) };
  }
  if (answer !== 'yes')
    return done(isQuestions ? say('Denied.') : say('Refused. A client that asks again is told so.'));
  const allowed = done(isQuestions ? say('Approved.') : say('Allowed. The client sends it again: tell it to go on.'));
  if (failed === undefined) return allowed;
  const why = failed.failed ?? '';
  const words =
    failed.hostKey === undefined
      ? say('%@', why)
      : say('The key is trusted now, but the connection still fails. %@', why);
  return { said: ids.length > 1 ? allowed.said : [], problem: saidOf(words) };
}

function done(words: readonly ReasonPart[]): Outcome {
  return { said: [saidOf(words)], problem: null };
}

function ranWords({ rowsAffected: rows }: Run): readonly ReasonPart[] {
  if (rows === null) return say('Ran.');
  return rows === 1 ? say('Ran; 1 row changed.') : say('Ran; %@ rows changed.', String(rows));
}

function failedWords({ id, failed, mayHaveRun }: Run, ids: readonly string[], left: number): readonly ReasonPart[] {
  // A server's words may have several lines.
  const why = (failed ?? '').split('\n').join(' ');
  const which = String(ids.indexOf(id) + 1);
  const one = ids.length === 1;
  // Of what stays in part its own sentence tells.
  const words = mayHaveRun
    ? one
      ? say('%@', why)
      : say('Number %@: %@', which, why)
    : one
      ? say('It did not run. %@', why)
      : say('Number %@ did not run. %@', which, why);
  if (left === 0) return words;
  const waiting =
    left === 1
      ? say('1 after it did not run, and still waits.')
      : say('%@ after it did not run, and still wait.', String(left));
  return [...words, ...waiting];
}
