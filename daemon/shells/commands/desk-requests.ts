/**
 * Answers to access requests (spec §12): which can't be answered so, and what the answer does.
 */

import type { HostKeyView } from '../../../shared/control-commands.ts';
import type { AccessRequest } from '../../access/requests/access-requests.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { type CommandContext, type CommandOutcome, invalid, refused } from '../command.ts';
import { requestView } from '../desk/views.ts';
import type { DeskDecision } from '../messages/desk.ts';
import type { CommandPorts } from '../ports.ts';
import { hostKeyConfirmed, testConnection } from './connections.ts';
import { requestsIncrease } from './desk-increase.ts';
import { type DeskAnswerAsked, type DeskVariant, decided, noLongerWaiting } from './desk-shapes.ts';

/** One answer to several of them: to all, or to none if one no longer waits. */
export const answerOfRequests: DeskVariant = {
  privilegeIncrease({ ids, answer, times }, { ports }) {
    const found = answer === 'no' ? null : requestsNamed(ids, ports);
    // The command will refuse it.
    if (found === null || answerProblem(answer, found) !== null) return null;
    return requestsIncrease(found.map(requestView), answer === 'run' ? 'run' : (times ?? 1), ports.connections);
  },
  records: {
    action: 'request.answer',
    done: ({ ids, answer, ran }) => {
      const failed = ran.some(run => run.failed !== null);
      const keys = ran.flatMap(({ hostKey }) => (hostKey === undefined ? [] : [hostKeyConfirmed(hostKey)]));
      const reason = [`${answer}: ${ids.join(', ')}`, ...keys].join('; ');
      return { reason, ...(failed && { outcome: 'error' as const }) };
    },
  },
  // Before what fits the kind is judged: of what is gone nobody knows the kind.
  refuses: ({ ids }, { ports }) => (requestsNamed(ids, ports) === null ? refused('gone', noLongerWaiting) : null),
  run(asked, context) {
    const found = requestsNamed(asked.ids, context.ports);
    if (found === null) return refused('gone', noLongerWaiting);
    return answerProblem(asked.answer, found) ?? answer(asked, found, context);
  },
};

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
  answered: DeskAnswerAsked['answer'],
  found: readonly AccessRequest[],
): CommandOutcome<never> | null {
  if (answered === 'no') return null;
  if (answered === 'yes' && found.some(({ runsBy }) => runsBy === 'owner'))
    return invalid(
      'owner_must_run',
      "A client without Full Access can't run a destructive statement, so it can't be allowed to: run it yourself, with the answer run.",
    );
  if (answered === 'run' && found.some(({ statement }) => statement === null))
    return invalid(
      'nothing_to_run',
      'A host key, or the first use of a connection, has nothing to run: allow it with the answer yes.',
    );
  return found.some(({ statement, shown }) => statement !== null && shown === null)
    ? refused('not_opened', notOpened)
    : null;
}

const notOpened =
  'A chosen question was not opened since it was asked, or since its run was held back, so nobody saw its effect. Open it, then answer. Nothing was done.';

async function answer(
  asked: DeskAnswerAsked,
  found: readonly AccessRequest<Taken>[],
  context: CommandContext,
): Promise<CommandOutcome<DeskDecision>> {
  const { ports, requestId, signal } = context;
  const { accessRequests } = ports;
  const ran: DeskDecision['ran'][number][] = [];
  for (const request of found) {
    if (asked.answer === 'no') accessRequests.answer(request.id, 'refused');
    else if (request.hostKey !== undefined) ran.push(await takeHostKey(request, request.hostKey, context));
    else if (asked.answer === 'yes') accessRequests.answer(request.id, 'granted', asked.times ?? 1);
    else {
      // Before it runs, so another answer meanwhile can't run it twice.
      // The same statement of another client may have run a moment ago.
      if (!accessRequests.answer(request.id, 'ran')) continue;
      const { mayHaveRun, found: more, steps, ...run } = await ports.runAsOwner(request, requestId, signal);
      ran.push({ id: request.id, ...run, mayHaveRun });
      if (more !== null) accessRequests.hold(request.id, more);
      else if (!mayHaveRun) accessRequests.giveBack(request.id);
      else {
        const { rowsAffected, failed } = run;
        accessRequests.ranAsOwner(request.id, { at: ports.now(), rows: steps ?? [rowsAffected], failed });
      }
      if (run.failed !== null) break;
    }
  }
  return decided(asked, { ran });
}

/** As in `connections.test`: ssh writes known_hosts while the connection is tried. */
async function takeHostKey(
  { id, connectionId }: AccessRequest,
  { fingerprint }: HostKeyView,
  context: CommandContext,
): Promise<DeskDecision['ran'][number]> {
  const connection = context.ports.connections.find(connectionId);
  if (connection === null) return { id, rowsAffected: null, warnings: [], failed: 'The connection is gone.' };
  context.ports.accessRequests.answer(id, 'granted');
  const tested = await testConnection(connection, fingerprint, context);
  const failed = tested.reachable ? null : tested.problem;
  return { id, rowsAffected: null, warnings: [], failed, hostKey: fingerprint };
}
