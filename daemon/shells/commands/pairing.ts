/**
 * The `pairing.*` commands (spec §10, §11): turn a deep link into a request to draw, and a decision
 * into the address to open. A request ends when its shell disconnects. Opens nothing itself.
 */

import * as z from 'zod';
import type { ControlNotification } from '../../../shared/control.ts';
import { levelNow } from '../../access/effective-access.ts';
import type { Decision, OpenPairing } from '../../access/pairing/pairing.ts';
import { pairingLimits } from '../../access/pairing/pairing.ts';
import { linkFaultSentences, readPairingLink } from '../../access/pairing/pairing-link.ts';
import { hearsOfNo, loopbackPort, schemeOf } from '../../access/pairing/redirect.ts';
import { answerWords } from '../../access/privilege-increases/origin-words.ts';
import { type CommandContext, command, done, invalidField, refused } from '../command.ts';
import { type PairingView, pairingAnswer, pairingId, pairingView } from '../messages/pairing.ts';
import { requesterWords } from '../requester-words.ts';
import { unknownConnection } from './connection-view.ts';
import { allowlistOf, pairingDecision } from './grant.ts';
import { pairingIncrease } from './grant-increase.ts';
import { id } from './shapes.ts';

/**
 * Starts the server if it is off. Without a result nothing was kept. Ends when the shell
 * disconnects.
 */
export const pairingBegin = command('pairing.begin', {
  shape: z.strictObject({
    // More than a link may have; the link's reader words that it is too long.
    link: z.string('a link is expected').max(65_536, 'the link is far too long'),
    handler: z
      .strictObject({ scheme: z.string().max(64), app: z.string().min(1).max(256) })
      .nullable()
      .describe('the app that handles the scheme'),
  }),
  result: pairingView,
  privilegeIncrease: 'never',
  records: 'itself',
  run: async ({ link, handler }, context) => {
    const { pairings, activity } = context.ports;
    const who = await requesterWords(context);
    const note = (reason: string): void =>
      activity.record({ category: 'access', action: 'pairing.begin', outcome: 'denied', client: who, reason });
    // Only for the scheme that it was looked up for: shell and daemon must not read one link in two
    // ways.
    const handlerOf = (redirect: string) =>
      handler !== null && schemeOf(redirect) === handler.scheme.toLowerCase() ? handler.app : null;
    const read = readPairingLink(link, handlerOf);
    if (read.kind === 'refused') {
      note(read.fault);
      return refused(linkFaultSentences[read.fault]);
    }
    const pairing = pairings.begin(read.request, context.signal);
    if (pairing === null) {
      note('too many wait');
      return refused(
        `Another pairing request is open and ${pairingLimits.waitingSheets} more wait; answer those, then try again.`,
      );
    }
    const { client } = read.request;
    const reason = `brought by ${who}`;
    activity.record({ category: 'access', action: 'pairing.begin', outcome: 'success', client, reason });
    context.desk.begin(pairing, context.requester);
    return done(viewOf(pairing, context));
  },
});

export const pairingDecide = command('pairing.decide', {
  shape: pairingDecision,
  result: pairingAnswer,
  privilegeIncrease: (asked, context) => (asked.decision === 'deny' ? null : pairingIncrease(asked.id, asked, context)),
  records: 'itself',
  run: async (asked, context) => {
    const { ports, confirmedBy } = context;
    const { pairings, connections, activity, tokens, standings, serveForThisRun } = ports;
    const who = await requesterWords(context);
    const client = pairings.find(asked.id)?.request.client ?? null;
    const entry = { category: 'access', action: 'pairing.decide', client } as const;
    let decision: Decision = { kind: 'deny' };
    if (asked.decision === 'approve') {
      const allowed = allowlistOf(asked.connections, connections);
      if (typeof allowed === 'object' && 'unknown' in allowed) {
        activity.record({ ...entry, outcome: 'denied', reason: 'no such connection' });
        return refused(unknownConnection(allowed.unknown));
      }
      if (allowed.length === 0) return invalidField({ field: 'connections', why: 'at least one is expected, or all' });
      decision = { kind: 'approve', grant: { scope: asked.scope, connections: allowed, expires: asked.expires } };
    }
    const decided = pairings.decide(asked.id, decision);
    if (decided === null || decided.kind === 'too_late') {
      activity.record({ ...entry, outcome: 'denied', reason: decided === null ? 'not open' : 'too late' });
      return refused(gone);
    }
    const { address, tokenId } = decided;
    // Only now: only the approving person may switch it on (spec §2).
    const problem = tokenId === null ? null : await serveForThisRun();
    if (tokenId !== null && problem !== null) {
      tokens.discard(tokenId);
      activity.record({ ...entry, outcome: 'denied', reason: 'the server could not be started' });
      return refused(
        `The server could not be started for this pairing, so nothing was sent; start again in the client. ${problem}`,
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
    return done({ id: asked.id, address, token: tokenId });
  },
});

/** The sheet was closed without a decision: nothing is opened. */
export const pairingClose = command('pairing.close', {
  shape: z.strictObject({ id }),
  result: pairingId,
  privilegeIncrease: 'never',
  records: 'itself',
  run: (asked, { ports }) => {
    ports.pairings.drop(asked.id);
    return done({ id: asked.id });
  },
});

/** The notification for shells. */
export function turnNotification(turn: string): ControlNotification {
  return { jsonrpc: '2.0', method: 'pairing.turn', params: { id: turn } };
}

const gone =
  'This pairing request is not open any more: it was answered, or its five minutes have passed. Nothing was sent; start again in the client.';

function viewOf(pairing: OpenPairing, { ports }: CommandContext): PairingView {
  const { request, askedAt, expiresAt } = pairing;
  const known = ports.connections.list();
  const port = loopbackPort(request.redirect);
  return {
    id: pairing.id,
    client: request.client,
    redirect: {
      address: request.redirect,
      receiver: port === null ? request.handler : ports.portHolder(port),
      kind: port !== null ? 'loopback' : hearsOfNo(request.redirect) ? 'app' : 'anybodys',
    },
    scope: request.scope,
    // Unknown ones are left out. If the link names none, the person chooses.
    ticked: (request.connectionIds ?? []).filter(wanted => known.some(connection => connection.id === wanted)),
    connections: known.map(connection => ({
      id: connection.id,
      name: connection.name,
      engine: connection.engine,
      externalClients: connection.aiPolicy === 'never' ? 'blocked' : levelNow(connection, ports.now()),
    })),
    expires: 30,
    askedAt,
    expiresAt,
    waits: ports.pairings.open()[0]?.id !== pairing.id,
    serverStarted: ports.status().state === 'off',
  };
}
