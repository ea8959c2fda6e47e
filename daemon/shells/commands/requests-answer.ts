/**
 * An answer to access requests: its shape, the waiting requests it names, and which can't be
 * answered so.
 */

import * as z from 'zod';
import { textSize } from '../../../shared/text-size.ts';
import { type AccessRequest, accessRequestLimits } from '../../access/requests/access-requests.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { type CommandOutcome, invalid, refused } from '../command.ts';
import type { Message } from '../messages/message.ts';
import type { AccessRequestView } from '../messages/requests.ts';
import type { CommandPorts } from '../ports.ts';
import { id } from './shapes.ts';

export const ids = z
  .array(id, 'a list of ids is expected')
  .min(1, 'at least one id is expected')
  .max(accessRequestLimits.waiting, `at most ${accessRequestLimits.waiting} ids are expected`)
  .refine(list => new Set(list).size === list.length, 'each id may be in the list once');

/** A client that sends the same statement repeatedly gets a number of runs, never without end. */
const mostRuns = 100;

/**
 * `once`: each runs when its client sends it again, `times` times. `run`: they run now, in this
 * order, as the person, up to the first failure. (A higher level of the connection, which would
 * also help, is `connections.save`.)
 */
export const decision = z.discriminatedUnion(
  'answer',
  [
    z.strictObject({ ids, answer: z.enum(['no', 'run']) }),
    z.strictObject({
      ids,
      answer: z.literal('once'),
      times: z
        .int('a whole number is expected')
        .min(1, 'at least 1 is expected')
        .max(mostRuns, `at most ${mostRuns} is expected`)
        .optional(),
    }),
  ],
  'no, once or run is expected',
);

export type AccessRequestDecision = Message<typeof decision>;

export const noLongerWaiting =
  'A chosen request no longer waits: it was answered, 15 minutes passed, or its connection or token was changed. Nothing was done. List the requests again.';

/** Null if one of them no longer waits. */
export function requestsNamed(
  wanted: readonly string[],
  { accessRequests }: Pick<CommandPorts, 'accessRequests'>,
): readonly AccessRequest<Taken>[] | null {
  const found = wanted.flatMap(one => accessRequests.find(one) ?? []);
  return found.length === wanted.length ? found : null;
}

/** A sentence if these can't be answered so. */
export function answerProblem(
  answered: AccessRequestDecision['answer'],
  found: readonly AccessRequest[],
): CommandOutcome<never> | null {
  if (answered === 'no') return null;
  if (answered === 'once' && found.some(({ runsBy }) => runsBy === 'owner'))
    return invalid(
      'owner_must_run',
      "A client without Full Access can't run a destructive statement, so it can't be allowed to: run it yourself, with the answer run",
    );
  if (answered === 'run' && found.some(({ statement }) => statement === null))
    return invalid(
      'nothing_to_run',
      'A host key, or the first use of a connection, has nothing to run: allow it with the answer once',
    );
  return found.some(({ statement, shown }) => statement !== null && shown === null)
    ? refused('not_opened', notOpened)
    : null;
}

const notOpened =
  'A chosen request was not opened since it was asked, or since its run was held back, so nobody saw what it takes. Open it, then answer. Nothing was done.';

export function statementView({ statement, classified, shown }: AccessRequest): AccessRequestView['statement'] {
  if (statement === null || classified === null) return null;
  const { text, parameters, schema, database } = statement;
  return {
    ...classified,
    text,
    ...textSize(text),
    ...(shown !== null && { takes: shown.words }),
    parameters: parameters.map(value => JSON.stringify(value)),
    schema,
    database,
  };
}
