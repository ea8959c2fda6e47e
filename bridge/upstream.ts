/** One POST to the proven daemon. Retries nothing and reads no body. */

import { type IncomingMessage, request } from 'node:http';
import type { DaemonAccess } from './daemon-access.ts';

export interface Post {
  readonly body: string;
  /** As wire-headers.ts gives them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names this process to the daemon: a principal of its own (SPEC §4). */
  readonly bridgeId: string;
  /** Aborting drops the connection, which is cancellation on this wire. */
  readonly signal: AbortSignal;
}

/** @throws NotSent when not a byte went out; any other error leaves open whether the request arrived. */
export function post(access: DaemonAccess, { body, headers, bridgeId, signal }: Post): Promise<IncomingMessage> {
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port: access.port,
      path: '/mcp',
      method: 'POST',
      agent: access.agent,
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        'Content-Length': bytes.length,
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${access.token}`,
        'Sallyport-Bridge': bridgeId,
      },
    });
    signal.addEventListener('abort', () => outgoing.destroy(new Error('cancelled')), { once: true });
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

/**
 * Whether the connection was reset before an answer. A system resets what is closed with bytes in it that nobody read, and what
 * is sent to a connection already closed; where all was read it ends the connection in order. A connection carries one request at
 * a time, so of a reset one not the whole request was read, and no part of a request is acted on. That is how a request meets a
 * daemon that was killed just before; one that still stands by its proof resets nothing, so whoever asks makes sure of that too.
 */
export function wasNeverRead(error: unknown): boolean {
  // Node calls an orderly end ECONNRESET as well ("socket hang up"), but only the system's own errors name a system call.
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && (code === 'ECONNRESET' || code === 'EPIPE');
}
