/**
 * The `requests.*` commands (spec §11, §12): what clients were refused and the person may allow,
 * what that takes, and the answer.
 */

import * as z from 'zod';
import type { ControlNotification } from '../../../shared/control.ts';
import type { HostKeyView } from '../../../shared/control-commands.ts';
import type { AccessRequest, AccessRequests } from '../../access/requests/access-requests.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { type CommandContext, type CommandOutcome, command, done, looks, refused } from '../command.ts';
import {
  type AccessRequestAnswer,
  type AccessRequestView,
  accessRequestAnswer,
  accessRequestList,
} from '../messages/requests.ts';
import { hostKeyConfirmed, testConnection } from './connections.ts';
import {
  type AccessRequestDecision,
  answerProblem,
  decision,
  ids,
  noLongerWaiting,
  requestsNamed,
  statementView,
} from './requests-answer.ts';
import { requestsIncrease } from './requests-increase.ts';
import { nothing } from './shapes.ts';

/** Unanswered requests, oldest first. */
export const requestsList = command('requests.list', {
  shape: nothing,
  result: accessRequestList,
  ...looks,
  run: (_, { ports }) => done({ requests: ports.accessRequests.waiting().map(requestView) }),
});

/**
 * Counts what their statements take, before an answer with `once` or `run`, whose runs are held to
 * the figures. Without a trial, `takes` says why.
 */
export const requestsOpen = command('requests.open', {
  shape: z.strictObject({ ids }),
  result: accessRequestList,
  privilegeIncrease: 'never',
  // Its trials run on the database, whoever asks for them.
  records: {
    action: 'request.open',
    done: ({ requests }) => ({ reason: requests.map(({ id }) => id).join(', ') }),
  },
  run: async (asked, context) => {
    const { ports, increases, requestId, signal } = context;
    const { accessRequests } = ports;
    const found = requestsNamed(asked.ids, ports);
    if (found === null) return refused('gone', noLongerWaiting);
    const shown: Awaited<ReturnType<typeof ports.openAsOwner>>[] = [];
    for (const request of found) shown.push(await ports.openAsOwner(request, requestId, signal));
    // One at a time: the figures must not change between showing them and the passphrase that
    // allows them.
    return increases(async () => {
      for (const [at, { id }] of found.entries()) if (shown[at] != null) accessRequests.open(id, shown[at]);
      const opened = requestsNamed(asked.ids, ports);
      return opened === null ? refused('gone', noLongerWaiting) : done({ requests: opened.map(requestView) });
    });
  },
});

/** One answer to several of them: to all, or to none if one no longer waits. */
export const requestsDecide = command('requests.decide', {
  shape: decision,
  result: accessRequestAnswer,
  privilegeIncrease: requestsIncrease,
  records: {
    action: 'request.answer',
    done: ({ ids, answer, ran }) => {
      const failed = ran.some(run => run.failed !== null);
      const keys = ran.flatMap(({ hostKey }) => (hostKey === undefined ? [] : [hostKeyConfirmed(hostKey)]));
      const reason = [`${answer}: ${ids.join(', ')}`, ...keys].join('; ');
      return { reason, ...(failed && { outcome: 'error' as const }) };
    },
  },
  run: (asked, context) => {
    const found = requestsNamed(asked.ids, context.ports);
    if (found === null) return refused('gone', noLongerWaiting);
    return answerProblem(asked.answer, found) ?? answer(asked, found, context);
  },
});

async function answer(
  asked: AccessRequestDecision,
  found: readonly AccessRequest<Taken>[],
  context: CommandContext,
): Promise<CommandOutcome<AccessRequestAnswer>> {
  const { ports, requestId, signal } = context;
  const { accessRequests } = ports;
  const ran: AccessRequestAnswer['ran'][number][] = [];
  for (const request of found) {
    if (asked.answer === 'no') accessRequests.answer(request.id, 'refused');
    else if (request.hostKey !== undefined) ran.push(await takeHostKey(request, request.hostKey, context));
    else if (asked.answer === 'once') accessRequests.answer(request.id, 'granted', asked.times ?? 1);
    else {
      // Before it runs, so another answer meanwhile can't run it twice.
      // The same statement of another client may have run a moment ago.
      if (!accessRequests.answer(request.id, 'ran')) continue;
      const { mayHaveRun, found: more, ...run } = await ports.runAsOwner(request, requestId, signal);
      ran.push({ id: request.id, ...run });
      if (more !== null) accessRequests.hold(request.id, more);
      else if (!mayHaveRun) accessRequests.giveBack(request.id);
      else if (run.failed === null) accessRequests.ranAsOwner(request.id);
      if (run.failed !== null) break;
    }
  }
  return done({ ids: asked.ids, answer: asked.answer, ran });
}

/** As in `connections.test`: ssh writes known_hosts while the connection is tried. */
async function takeHostKey(
  { id, connectionId }: AccessRequest,
  { fingerprint }: HostKeyView,
  context: CommandContext,
): Promise<AccessRequestAnswer['ran'][number]> {
  const connection = context.ports.connections.find(connectionId);
  if (connection === null) return { id, rowsAffected: null, warnings: [], failed: 'The connection is gone.' };
  context.ports.accessRequests.answer(id, 'granted');
  const tested = await testConnection(connection, fingerprint, context);
  const failed = tested.reachable ? null : tested.problem;
  return { id, rowsAffected: null, warnings: [], failed, hostKey: fingerprint };
}

/** The notification for shells. */
export function requestsNotification(requests: AccessRequests): ControlNotification {
  return { jsonrpc: '2.0', method: 'requests.changed', params: { waiting: requests.waiting().length } };
}

function requestView(request: AccessRequest): AccessRequestView {
  const { id, client, program, principal, connection, lacks, runsBy, means, times } = request;
  return {
    id,
    client,
    program,
    token: principal.isBridge ? null : principal.tokenName,
    ...(principal.isBox && { isBox: true }),
    connection,
    lacks,
    runsBy,
    means,
    times,
    statement: statementView(request),
    askedAt: new Date(request.askedAt).toISOString(),
    expiresAt: new Date(request.expiresAt).toISOString(),
  };
}
