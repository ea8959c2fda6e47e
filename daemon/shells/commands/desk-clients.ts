/**
 * Answers to what clients ask (spec §12), whether a call waits or the client asks again: which can
 * not be answered so, and what the answer does.
 */

import { isDeepStrictEqual } from 'node:util';
import type { HostKeyView } from '../../../shared/control-commands.ts';
import { answerWords } from '../../access/privilege-increases/origin-words.ts';
import type { AccessRequest } from '../../access/requests/access-requests.ts';
import type { Taken } from '../../engines/count/taken.ts';
import { type CommandContext, type CommandOutcome, invalid, refused } from '../command.ts';
import { outcomeOf } from '../desk/outcome.ts';
import { type ClientAsk, isOfClient } from '../desk/views.ts';
import type { DeskDecision } from '../messages/desk.ts';
import type { CommandPorts } from '../ports.ts';
import { requesterWords } from '../requester-words.ts';
import { hostKeyConfirmed, testConnection } from './connections.ts';
import { asksIncrease } from './desk-increase.ts';
import { type DeskAnswerAsked, type DeskVariant, decided, noLongerWaiting } from './desk-shapes.ts';

/** One answer to several of them: to all, or to none if one no longer waits. */
export const answerOfClients: DeskVariant = {
  privilegeIncrease({ ids, answer, times }, context) {
    const asks = answer === 'no' ? null : asksNamed(ids, context);
    // The command will refuse it.
    if (asks === null || answerProblem(answer, asks) !== null) return null;
    return asksIncrease(asks, answer === 'run' ? 'run' : (times ?? 1), context.ports.connections);
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
  refuses({ ids, takes }, context) {
    const asks = asksNamed(ids, context);
    if (asks === null) return refused('gone', noLongerWaiting);
    const now = asks.flatMap(({ statement }) => statement?.takes ?? []);
    return takes === undefined || isDeepStrictEqual(takes, now) ? null : refused('changed_since', countedAnew);
  },
  async run(asked, context) {
    const who = await requesterWords(context);
    const asks = asksNamed(asked.ids, context);
    if (asks === null) return refused('gone', noLongerWaiting);
    return answerProblem(asked.answer, asks) ?? answer(asked, asks, who, context);
  },
};

/** The questions of clients with these ids, in this order. Null if one of them no longer waits. */
export function asksNamed(
  wanted: readonly unknown[],
  { desk, requester }: Pick<CommandContext, 'desk' | 'requester'>,
): readonly ClientAsk[] | null {
  const waiting = desk.list({ requester, isApp: false }).filter(isOfClient);
  const found = wanted.flatMap(id => waiting.find(ask => ask.id === id) ?? []);
  return found.length === wanted.length ? found : null;
}

/** Null if one of them no longer waits. */
export function requestsNamed(
  wanted: readonly string[],
  { accessRequests }: Pick<CommandPorts, 'accessRequests'>,
): readonly AccessRequest<Taken>[] | null {
  const found = wanted.flatMap(one => accessRequests.find(one) ?? []);
  return found.length === wanted.length ? found : null;
}

/** A sentence if these can't be answered so. */
function answerProblem(answered: DeskAnswerAsked['answer'], asks: readonly ClientAsk[]): CommandOutcome<never> | null {
  if (answered === 'no') return null;
  if (answered === 'yes' && asks.some(({ runsBy }) => runsBy === 'owner'))
    return invalid(
      'owner_must_run',
      "A client without Full Access can't run a destructive statement, so it can't be allowed to: run it yourself, with the answer run.",
    );
  if (answered === 'run' && asks.some(({ statement }) => statement === null))
    return invalid(
      'nothing_to_run',
      'A host key, or the first use of a connection, has nothing to run: allow it with the answer yes.',
    );
  return asks.some(({ waits, statement }) => !waits && statement !== null && statement.takes === undefined)
    ? refused('not_opened', notOpened)
    : null;
}

const notOpened =
  'A chosen question was not opened since it was asked, or since its run was held back, so nobody saw its effect. Open it, then answer. Nothing was done.';

const countedAnew =
  'What it takes was counted anew since you read it, so nothing was done. Read it again, then answer.';

async function answer(
  asked: DeskAnswerAsked,
  asks: readonly ClientAsk[],
  who: string,
  context: CommandContext,
): Promise<CommandOutcome<DeskDecision>> {
  const { ports, requestId, signal, confirmedBy } = context;
  const { approvals, accessRequests } = ports;
  const said = asked.answer === 'no' ? 'no' : 'yes';
  // Those first, whose end nothing can bring meanwhile.
  for (const { id, waits } of asks) if (waits) approvals.decide(id, said, answerWords(said, who, confirmedBy));
  const ran: DeskDecision['ran'][number][] = [];
  for (const request of asks.flatMap(({ id }) => accessRequests.find(id) ?? [])) {
    if (asked.answer === 'no') accessRequests.answer(request.id, 'refused');
    else if (request.facts.hostKey) ran.push(await takeHostKey(request, request.facts.hostKey, context));
    else if (asked.answer === 'yes') accessRequests.answer(request.id, 'granted', asked.times ?? 1);
    else {
      // Before it runs, so another answer meanwhile can't run it twice.
      // The same statement of another client may have run a moment ago.
      if (!accessRequests.answer(request.id, 'ran')) continue;
      const { mayHaveRun, found: more, steps, ...run } = await ports.runAsOwner(request.facts, requestId, signal);
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
  const isQuestions = asks.every(({ waits }) => waits);
  // One of them may be what another client asked too, and has run with it.
  const behind = asked.ids.slice(asked.ids.indexOf(ran.at(-1)?.id ?? '') + 1);
  const left = behind.filter(id => accessRequests.find(id) !== null).length;
  return decided(asked, { ran, ...outcomeOf(asked, ran, isQuestions, left) });
}

/** Tries the connection as `connections.test` does: ssh writes known_hosts meanwhile. */
async function takeHostKey(
  { id, facts }: AccessRequest,
  { fingerprint }: HostKeyView,
  context: CommandContext,
): Promise<DeskDecision['ran'][number]> {
  const connection = context.ports.connections.find(facts.connectionId);
  if (connection === null) return { id, rowsAffected: null, warnings: [], failed: 'The connection is gone.' };
  context.ports.accessRequests.answer(id, 'granted');
  const tested = await testConnection(connection, fingerprint, context);
  const failed = tested.reachable ? null : tested.problem;
  return { id, rowsAffected: null, warnings: [], failed, hostKey: fingerprint };
}
