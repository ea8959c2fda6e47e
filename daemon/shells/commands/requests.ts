/** The `requests.*` commands (spec §11, §12): what clients were refused and the person may allow, what that takes, and the answer. */

import * as z from 'zod';
import type { ControlNotification } from '../../../shared/control.ts';
import type {
  AccessRequestAnswer,
  AccessRequestDecision,
  AccessRequestView,
} from '../../../shared/control-commands.ts';
import { textSize } from '../../../shared/text-size.ts';
import { type AccessRequest, type AccessRequests, accessRequestLimits } from '../../access/requests/access-requests.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { type CommandContext, type CommandOutcome, command, done, invalid, refused } from '../command.ts';
import type { CommandPorts } from '../ports.ts';
import { id } from './shapes.ts';

export const listRequests = command<'requests.list'>(z.strictObject({}), (_, { ports }) =>
  done({ requests: ports.accessRequests.waiting().map(requestView) }),
);

const ids = z
  .array(id, 'a list of ids is expected')
  .min(1, 'at least one id is expected')
  .max(accessRequestLimits.waiting, `at most ${accessRequestLimits.waiting} ids are expected`)
  .refine(list => new Set(list).size === list.length, 'each id may stand there once');

export const openRequests = command<'requests.open'>(z.strictObject({ ids }), async (asked, context) => {
  const { ports, widenings, requestId, signal } = context;
  const { accessRequests } = ports;
  const found = requestsNamed(asked.ids, ports);
  if (found === null) return refused(noneWaits);
  const shown: Awaited<ReturnType<typeof ports.openAsOwner>>[] = [];
  for (const request of found) shown.push(await ports.openAsOwner(request, requestId, signal));
  // In its turn: between what somebody is shown and what their passphrase allows no figures may change.
  return widenings(async () => {
    for (const [at, { id }] of found.entries()) if (shown[at] != null) accessRequests.open(id, shown[at]);
    const opened = requestsNamed(asked.ids, ports);
    return opened === null ? refused(noneWaits) : done({ requests: opened.map(requestView) });
  });
});

/** A client that sends the same again and again is granted each of them by a number, never without end. */
const mostRuns = 100;

const decision: z.ZodType<AccessRequestDecision> = z.discriminatedUnion(
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

export const decideRequests = command<'requests.decide'>(decision, (asked, context) => {
  const found = requestsNamed(asked.ids, context.ports);
  if (found === null) return refused(noneWaits);
  return problemOf(asked.answer, found) ?? answer(asked, found, context);
});

const noneWaits =
  'What was chosen no longer waits: it was answered, a quarter of an hour passed, or its connection or token was changed. Nothing was done. List anew what waits.';

/** Null where one of them no longer waits. */
export function requestsNamed(
  wanted: readonly string[],
  { accessRequests }: Pick<CommandPorts, 'accessRequests'>,
): readonly AccessRequest<Taken>[] | null {
  const found = wanted.flatMap(one => accessRequests.find(one) ?? []);
  return found.length === wanted.length ? found : null;
}

/** Where these can't be answered so. */
export function problemOf(
  answered: AccessRequestDecision['answer'],
  found: readonly AccessRequest[],
): CommandOutcome<never> | null {
  if (answered === 'no') return null;
  if (answered === 'once' && found.some(({ runsBy }) => runsBy === 'owner'))
    return invalid(
      "A client without Full Access can't run a destructive statement, so it can't be allowed to: run it yourself, with the answer run",
    );
  if (answered === 'run' && found.some(({ statement }) => statement === null))
    return invalid('The first use of a connection has nothing to run: allow it with the answer once');
  return found.some(({ statement, shown }) => statement !== null && shown === null) ? refused(notOpened) : null;
}

const notOpened =
  'What was chosen was not opened since it was asked, or since a run of it was held back, so nobody saw what it takes. Open it, then answer. Nothing was done.';

async function answer(
  asked: AccessRequestDecision,
  found: readonly AccessRequest<Taken>[],
  { ports, requestId, signal }: CommandContext,
): Promise<CommandOutcome<AccessRequestAnswer>> {
  const { accessRequests } = ports;
  const ran: AccessRequestAnswer['ran'][number][] = [];
  for (const request of found) {
    if (asked.answer === 'no') accessRequests.answer(request.id, 'refused');
    else if (asked.answer === 'once') accessRequests.answer(request.id, 'granted', asked.times ?? 1);
    else {
      // Before it runs: whoever else answers it meanwhile would run it twice.
      accessRequests.answer(request.id, 'ran');
      const { mayHaveRun, found: more, ...run } = await ports.runAsOwner(request, requestId, signal);
      ran.push({ id: request.id, ...run });
      if (more !== null) accessRequests.hold(request.id, more);
      else if (!mayHaveRun) accessRequests.giveBack(request.id);
      if (run.failed !== null) break;
    }
  }
  return done({ ids: asked.ids, answer: asked.answer, ran });
}

/** As it is pushed to shells. */
export function requestsNotification(requests: AccessRequests): ControlNotification {
  return { jsonrpc: '2.0', method: 'requests.changed', params: { waiting: requests.waiting().length } };
}

function requestView(request: AccessRequest): AccessRequestView {
  const { id, client, program, principal, connection, lacks, runsBy, means, times } = request;
  return {
    ...{ id, client, program, token: principal.isBridge ? null : principal.tokenName },
    ...{ connection, lacks, runsBy, means, times },
    statement: statementView(request),
    askedAt: new Date(request.askedAt).toISOString(),
    expiresAt: new Date(request.expiresAt).toISOString(),
  };
}

export function statementView({ statement, classified, shown }: AccessRequest): AccessRequestView['statement'] {
  if (statement === null || classified === null) return null;
  const { text, parameters, schema, database } = statement;
  return {
    ...{ ...classified, text, ...textSize(text), ...(shown !== null && { takes: shown.words }) },
    parameters: parameters.map(value => JSON.stringify(value)),
    ...{ schema, database },
  };
}
