/**
 * The HTTP connections to one daemon, each kept for its next request. Bounds nothing; see
 * places.ts.
 */

import { type RequestOptions, request } from 'node:http';
import { ProvingAgent } from './proving-agent.ts';
import { Response } from './response.ts';
import { NotSent } from './sending-failures.ts';

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export class Connections {
  readonly #port: number;
  readonly #agent: ProvingAgent;

  /**
   * @param prove asked once per connection, which must stand by then; false, and the connection is
   * dropped unused.
   */
  constructor(port: number, prove: () => Promise<boolean>) {
    this.#port = port;
    this.#agent = new ProvingAgent(port, prove);
  }

  /**
   * @param post made once there is a proven connection to send it on: the proof may bring another
   * token.
   * @param signal aborting drops the connection, which is cancellation on this wire.
   * @param onOver called once, when nothing more of a request that was sent comes.
   * @throws NotSent when not a byte went out; any other error leaves open whether the request
   * arrived.
   */
  send(post: () => Post, signal: AbortSignal, onOver: () => void): Promise<Response> {
    const way = { agent: this.#agent, host: '127.0.0.1', port: this.#port };
    return sendBy(way, post, signal, onOver);
  }

  /**
   * Connections at work are left to end by themselves: whoever is at their other end was proven.
   */
  close(): void {
    this.#agent.keepNone();
  }

  /** Every request under way fails here and now, one that still waits for its connection too. */
  abandon(): void {
    this.#agent.destroy();
  }
}

/** As {@link Connections.send}. @param way how the connection is had. */
export function sendBy(
  way: RequestOptions,
  post: () => Post,
  signal: AbortSignal,
  onOver: () => void,
): Promise<Response> {
  if (signal.aborted) return Promise.reject(new NotSent('cancelled'));
  return new Promise((resolve, reject) => {
    const sent = request({ ...way, method: 'POST', path: '/mcp' });
    let isSent = false;
    // Not by Node's own option: that waits for a connection that is not made yet.
    const onAbort = () => {
      sent.destroy();
      reject(isSent ? new Error('the request was cancelled') : new NotSent('cancelled'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    sent.once('socket', () => {
      if (sent.destroyed) return;
      isSent = true;
      const { headers, body } = post();
      for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
      sent.setHeader('Content-Length', body.length);
      sent.end(body);
    });
    sent.once('response', response => {
      resolve(new Response(response));
      // An answer that came before its request was sent leaves the rest of that in the way of the
      // next.
      response.once('end', () => sent.writableFinished || sent.destroy());
    });
    sent.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      if (isSent) onOver();
    });
    sent.on('error', error => reject(isSent ? error : new NotSent(error.message)));
  });
}
