/**
 * Puts questions to clients of the 2025 revisions (spec §12): sent on the stream of the asking
 * call, answered by a POST of their own in the same session. Moves messages only; others decide
 * what a question says and what approves it.
 */

import type { PerRequestHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Elicit, Elicited } from '../mcp/tool.ts';
import type { LegacySession } from './legacy-sessions.ts';
import type { RequestId } from './refuse.ts';

/**
 * @param newId unguessable and never reused: the SDK would number the requests of every call from
 *   0, so an answer to one call's question would fit another's.
 */
export function elicitOn(
  transport: PerRequestHTTPServerTransport,
  session: LegacySession,
  callId: RequestId,
  newId: () => string,
): Elicit {
  return (form, signal) =>
    new Promise(resolve => {
      const id = newId();
      const settle = (elicited: Elicited): void => {
        if (!session.asked.delete(id)) return;
        signal.removeEventListener('abort', onAbort);
        resolve(elicited);
      };
      const onAbort = (): void => {
        settle({ kind: 'ended' });
        // So the client closes its dialog. Goes nowhere if its stream has ended too.
        send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
      };
      const send = (message: Parameters<typeof transport.send>[0]): void => {
        transport.send(message, { relatedRequestId: callId }).catch(() => settle({ kind: 'failed' }));
      };
      session.asked.set(id, response =>
        settle('result' in response ? { kind: 'answered', result: response.result } : { kind: 'failed' }),
      );
      signal.addEventListener('abort', onAbort);
      if (signal.aborted) onAbort();
      else send({ jsonrpc: '2.0', id, method: 'elicitation/create', params: { ...form } });
    });
}

/** Drops an answer to no open question of this session. */
export function takeAnswer(session: LegacySession, response: Record<string, unknown>): void {
  const { id } = response;
  if (typeof id === 'string') session.asked.get(id)?.(response);
}
