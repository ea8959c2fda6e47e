/** HTTP connections to one daemon, kept alive for reuse. Limits nothing; see semaphore.ts. */

import { type RequestOptions, request } from 'node:http';
import { ProvingAgent } from './proving-agent.ts';
import { Response } from './response.ts';
import { NotSent } from './sending-failures.ts';

export interface OutgoingRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export class Connections {
  readonly #port: number;
  readonly #agent: ProvingAgent;

  /**
   * @param prove called once per connection, while it is open. If it gives false, the connection is
   *   dropped unused.
   */
  constructor(port: number, prove: () => Promise<boolean>) {
    this.#port = port;
    this.#agent = new ProvingAgent(port, prove);
  }

  /**
   * @param post called once there is a proven connection: the proof may bring another token.
   * @param signal aborting drops the connection, which is how this wire cancels.
   * @param onOver called once, when nothing more comes for a request that was sent.
   * @throws NotSent if not a byte was sent. After any other error, the request may have arrived.
   */
  send(post: () => OutgoingRequest, signal: AbortSignal, onOver: () => void): Promise<Response> {
    const way = { agent: this.#agent, host: '127.0.0.1', port: this.#port };
    return sendBy(way, post, signal, onOver);
  }

  /** Busy connections end by themselves; their other end was proven. */
  close(): void {
    this.#agent.keepNone();
  }

  /** Fails every open request now, also one that still waits for its connection. */
  abandon(): void {
    this.#agent.destroy();
  }
}

/** Does what {@link Connections.send} does. @param way how to get the connection. */
export function sendBy(
  way: RequestOptions,
  post: () => OutgoingRequest,
  signal: AbortSignal,
  onOver: () => void,
): Promise<Response> {
  if (signal.aborted) return Promise.reject(new NotSent('cancelled'));
  return new Promise((resolve, reject) => {
    const sent = request({ ...way, method: 'POST', path: '/mcp' });
    let isSent = false;
    // Not Node's own `signal` option: it waits for a connection that isn't made yet.
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
      // The answer came before its request was fully sent; the rest would get in the way of the
      // next one.
      response.once('end', () => sent.writableFinished || sent.destroy());
    });
    sent.once('close', () => {
      signal.removeEventListener('abort', onAbort);
      if (isSent) onOver();
    });
    sent.on('error', error => reject(isSent ? error : new NotSent(error.message)));
  });
}
