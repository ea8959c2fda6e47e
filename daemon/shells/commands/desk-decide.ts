/**
 * `desk.decide` (spec §11, §12): an answer to what waits. Chooses by the kind of it, before anybody
 * has to confirm the answer, and refuses an answer that the kind hasn't.
 */

import { isObject } from '../../../shared/json.ts';
import { type CommandContext, type CommandOutcome, command, invalidField } from '../command.ts';
import { deskDecision } from '../messages/desk.ts';
import { answerOfClients, asksNamed } from './desk-clients.ts';
import { answerOfIncrease } from './desk-confirmation.ts';
import { answerOfPairing } from './desk-pairing.ts';
import { type DeskAnswerAsked, type DeskVariant, deskAnswerAsked } from './desk-shapes.ts';

type Kind = keyof typeof answers;

export const deskDecide = command('desk.decide', {
  shape: deskAnswerAsked,
  result: deskDecision,
  ...answerOfClients,
  variant: (parameters, context) => {
    const kind = kindOf(isObject(parameters) && Array.isArray(parameters.ids) ? parameters.ids : [], context);
    const { refuses, ...answer }: DeskVariant = answers[kind];
    return {
      ...answer,
      refuses: async (asked, now) => (await refuses?.(asked, now)) ?? misfit(kind, asked),
    };
  },
});

const answers = {
  increase: answerOfIncrease,
  pairing: answerOfPairing,
  // Of the answer to a question the register tells.
  questions: { ...answerOfClients, records: 'refusals' },
  mixed: answerOfClients,
  requests: answerOfClients,
} as const satisfies Readonly<Record<string, DeskVariant>>;

/** What is nobody's is refused as a request that no longer waits. */
function kindOf(ids: readonly unknown[], context: CommandContext): Kind {
  const { desk, requester } = context;
  if (desk.confirmations.pending().some(({ id }) => ids.includes(id))) return 'increase';
  if (ids.some(id => typeof id === 'string' && desk.hasBegun(id, requester))) return 'pairing';
  const asks = asksNamed(ids, context) ?? [];
  if (!asks.some(({ waits }) => waits)) return 'requests';
  return asks.every(({ waits }) => waits) ? 'questions' : 'mixed';
}

const possible: Readonly<Record<Kind, readonly DeskAnswerAsked['answer'][]>> = {
  increase: ['no', 'yes'],
  pairing: ['no', 'yes', 'close'],
  questions: ['no', 'yes'],
  mixed: ['no', 'yes'],
  requests: ['no', 'yes', 'run'],
};

function misfit(kind: Kind, { ids, answer, times, grant }: DeskAnswerAsked): CommandOutcome<never> | null {
  if (!possible[kind].includes(answer))
    return invalidField({ field: 'answer', why: `${possible[kind].join(' or ')} is expected here` });
  if ((kind === 'increase' || kind === 'pairing') && ids.length > 1)
    return invalidField({ field: 'ids', why: 'only what clients ask is answered together' });
  if (times !== undefined && (kind !== 'requests' || answer !== 'yes'))
    return invalidField({ field: 'times', why: 'is for a yes to questions of clients that ask again' });
  if ((grant !== undefined) !== (kind === 'pairing' && answer === 'yes'))
    return invalidField({ field: 'grant', why: 'is expected for a yes to a pairing, and for nothing else' });
  return null;
}
