/** The `requests.*` commands (spec §11, §12): what clients were refused and the person may allow, and the answer. */

import * as z from 'zod';
import type { ControlNotification } from '../../../shared/control.ts';
import type {
  AccessRequestAnswer,
  AccessRequestDecision,
  AccessRequestView,
} from '../../../shared/control-commands.ts';
import { textSize } from '../../../shared/text-size.ts';
import { type AccessRequest, type AccessRequests, accessRequestLimits } from '../../access/requests/access-requests.ts';
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
  const problem = problemOf(asked.answer, found);
  return problem === null ? answer(asked, found, context) : invalid(problem);
});

const noneWaits =
  'What was chosen no longer waits: it was answered, a quarter of an hour passed, or its connection or token was changed. Nothing was done. List anew what waits.';

/** Null where one of them no longer waits. */
export function requestsNamed(
  wanted: readonly string[],
  { accessRequests }: Pick<CommandPorts, 'accessRequests'>,
): readonly AccessRequest[] | null {
  const found = wanted.flatMap(one => accessRequests.find(one) ?? []);
  return found.length === wanted.length ? found : null;
}

/** A sentence where these can't be answered so. */
export function problemOf(answered: AccessRequestDecision['answer'], found: readonly AccessRequest[]): string | null {
  if (answered === 'once' && found.some(({ runsBy }) => runsBy === 'owner'))
    return "A client without Full Access can't run a destructive statement, so it can't be allowed to: run it yourself, with the answer run";
  if (answered === 'run' && found.some(({ statement }) => statement === null))
    return 'The first use of a connection has nothing to run: allow it with the answer once';
  return null;
}

async function answer(
  asked: AccessRequestDecision,
  found: readonly AccessRequest[],
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
      const { mayHaveRun, ...run } = await ports.runAsOwner(request, requestId, signal);
      ran.push({ id: request.id, ...run });
      if (!mayHaveRun) accessRequests.giveBack(request.id);
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
  const { id, client, program, principal, connection, lacks, runsBy, means, statement, judged, times } = request;
  return {
    ...{ id, client, program, token: principal.isBridge ? null : principal.tokenName },
    ...{ connection, lacks, runsBy, means, times },
    statement:
      statement === null || judged === null
        ? null
        : {
            ...{ ...judged, text: statement.text, ...textSize(statement.text) },
            parameters: statement.parameters.map(value => JSON.stringify(value)),
            ...{ schema: statement.schema, database: statement.database },
          },
    askedAt: new Date(request.askedAt).toISOString(),
    expiresAt: new Date(request.expiresAt).toISOString(),
  };
}
