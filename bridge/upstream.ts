/** One POST to the proven daemon. Retries nothing and reads no body. Loaded with the first request: `node:http` takes its time. */

import { type IncomingMessage, request } from 'node:http';
import type { DaemonAccess } from './daemon-access.ts';
import { bridgeLimits } from './limits.ts';
import { ProvenAgent } from './proven-agent.ts';

export interface Post {
  readonly body: Buffer;
  /** As wire-headers.ts gives them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names this process to the daemon: a principal of its own (SPEC §4). */
  readonly bridgeId: string;
  /** Aborting drops the connection, which is cancellation on this wire. */
  readonly signal: AbortSignal;
}

/** @throws NotSent when not a byte went out; any other error leaves open whether the request arrived. */
export function post(access: DaemonAccess, { body, headers, bridgeId, signal }: Post): Promise<IncomingMessage> {
  access.agent ??= new ProvenAgent(() => access.prove(), bridgeLimits.maxConnections);
  const { agent } = access;
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port: access.port,
      path: '/mcp',
      method: 'POST',
      agent,
      // As a list they go out as they stand; as an object each would be set, looked up and checked again: 25 µs a call.
      headers: [
        ['Host', `127.0.0.1:${access.port}`],
        ...Object.entries(headers),
        ['Content-Type', 'application/json'],
        ['Content-Length', String(body.length)],
        ['Accept', 'application/json, text/event-stream'],
        ['Authorization', `Bearer ${access.token}`],
        ['Sallyport-Bridge', bridgeId],
      ].flat(),
    });
    signal.addEventListener('abort', () => outgoing.destroy(new Error('cancelled')), { once: true });
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
