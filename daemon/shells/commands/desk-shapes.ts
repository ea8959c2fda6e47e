/** The shape of an answer to what waits (spec §12), whatever its kind. */

import * as z from 'zod';
import { accessRequestLimits } from '../../access/requests/access-requests.ts';
import { type CommandVariant, done } from '../command.ts';
import { deskAnswer, statementTakes } from '../messages/ask.ts';
import type { DeskDecision, deskDecision } from '../messages/desk.ts';
import type { Message } from '../messages/message.ts';
import { pairingGrant } from './grant.ts';
import { id } from './shapes.ts';

export const ids = z
  .array(id, 'a list of ids is expected')
  .min(1, 'at least one id is expected')
  .max(accessRequestLimits.waiting, `at most ${accessRequestLimits.waiting} ids are expected`)
  .refine(list => new Set(list).size === list.length, 'each id may be in the list once');

/** A client that sends the same statement repeatedly gets a number of runs, never without end. */
const mostRuns = 100;

export const deskAnswerAsked = z.strictObject({
  ids,
  /**
   * `run`: they run now, in this order, as the person, up to the first failure. (A higher level of
   * the connection, which would also help, is `connections.save`.)
   */
  answer: z.enum(deskAnswer.options, 'no, yes, run or close is expected'),
  /** Of a yes to requests: how often each runs when its client sends it again. */
  times: z
    .int('a whole number is expected')
    .min(1, 'at least 1 is expected')
    .max(mostRuns, `at most ${mostRuns} is expected`)
    .optional(),
  /**
   * What each statement of these was said to take, in this order, where a card is the confirmation.
   * If any takes something else by now, nothing is answered.
   */
  takes: z
    .array(statementTakes, 'a list of effects is expected')
    .max(accessRequestLimits.waiting, 'it is too long')
    .optional(),
  /** Of a yes to a pairing. */
  grant: pairingGrant.optional(),
});

export type DeskAnswerAsked = Message<typeof deskAnswerAsked>;

/** What the answer to one kind is. */
export type DeskVariant = CommandVariant<typeof deskAnswerAsked, typeof deskDecision>;

export function decided(
  { ids, answer }: Pick<DeskAnswerAsked, 'ids' | 'answer'>,
  what: Partial<Omit<DeskDecision, 'ids' | 'answer'>> = {},
) {
  return done<DeskDecision>({ ids, answer, ran: [], said: [], problem: null, address: null, token: null, ...what });
}

export const noLongerWaiting =
  'What was chosen no longer waits: it was answered, its time is up, who asked has gone, or its connection or token was changed. Nothing was done. List what waits again.';
