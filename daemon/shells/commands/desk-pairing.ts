/**
 * The answer to a pairing (spec §10, §12): a yes becomes a token that waits for its client, and the
 * address to open. Opens nothing itself.
 */

import type { Decision } from '../../access/pairing/pairing.ts';
import { answerWords } from '../../access/privilege-increases/origin-words.ts';
import { say } from '../../guard/reason.ts';
import { type CommandContext, type CommandOutcome, invalidField, refused } from '../command.ts';
import type { DeskDecision } from '../messages/desk.ts';
import { requesterWords } from '../requester-words.ts';
import { unknownConnection } from './connection-view.ts';
import { type DeskAnswerAsked, type DeskVariant, decided } from './desk-shapes.ts';
import { allowlistOf } from './grant.ts';
import { pairingIncrease } from './grant-increase.ts';

export const answerOfPairing: DeskVariant = {
  privilegeIncrease({ ids: [id = ''], grant }, context) {
    return grant === undefined ? null : pairingIncrease(id, grant, context);
  },
  records: 'itself',
  async run(asked, context) {
    const [id = ''] = asked.ids;
    if (asked.answer !== 'close') return answer(id, asked, context);
    // The sheet was closed without a decision.
    context.ports.pairings.drop(id);
    return decided(asked);
  },
};

async function answer(
  id: string,
  asked: DeskAnswerAsked,
  context: CommandContext,
): Promise<CommandOutcome<DeskDecision>> {
  const { ports, confirmedBy } = context;
  const { pairings, connections, activity, tokens, standings, serveForThisRun } = ports;
  const who = await requesterWords(context);
  const client = pairings.find(id)?.facts.client ?? null;
  const entry = { category: 'access', action: 'pairing.decide', client } as const;
  let decision: Decision = { kind: 'deny' };
  if (asked.grant !== undefined) {
    const { scope, connections: wanted, expires } = asked.grant;
    const allowed = allowlistOf(wanted, connections);
    if (typeof allowed === 'object' && 'unknown' in allowed) {
      activity.record({ ...entry, outcome: 'denied', reason: 'no such connection' });
      return unknownConnection(allowed.unknown);
    }
    if (allowed.length === 0)
      return invalidField({ field: 'grant.connections', why: 'at least one is expected, or all' });
    decision = { kind: 'approve', grant: { scope, connections: allowed, expires } };
  }
  const answered = pairings.decide(id, decision);
  if (answered === null) {
    activity.record({ ...entry, outcome: 'denied', reason: 'not open' });
    return refused('gone', gone);
  }
  const { address, tokenId } = answered;
  // Only now: only the approving person may switch it on (spec §2).
  const problem = tokenId === null ? null : await serveForThisRun();
  if (tokenId !== null && problem !== null) {
    tokens.discard(tokenId);
    activity.record({ ...entry, outcome: 'denied', reason: 'the server could not be started' });
    return refused(
      'server_not_started',
      say(
        'The server could not be started for this pairing, so nothing was sent; start again in the client. %@',
        problem,
      ),
    );
  }
  activity.record(
    tokenId === null
      ? { ...entry, outcome: 'denied', reason: answerWords('no', who, confirmedBy) }
      : {
          ...entry,
          outcome: 'success',
          principal: tokenId,
          tokenName: client,
          reason: answerWords('yes', who, confirmedBy),
        },
  );
  const token = tokenId === null ? null : tokens.find(tokenId);
  if (token !== null) {
    const subject = { principal: token.id, tokenName: token.name, ...standings.ofToken(token) };
    activity.record({ category: 'admin', action: 'access.state', outcome: 'success', ...subject });
    await activity.flush();
  }
  return decided(asked, { address, token: tokenId });
}

const gone =
  'This pairing request is not open any more: it was answered, or its five minutes have passed. Nothing was sent; start again in the client.';
