/**
 * MCP's lines on a connection to a box's socket. The bridge's relay runs inside the daemon and
 * hands each request to our own HTTP listener, over a pair of streams in memory. Every check, limit
 * and answer is that listener's.
 */

import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { Input } from '../../../bridge/client/input.ts';
import { Output } from '../../../bridge/client/output.ts';
import { sendBy } from '../../../bridge/daemon/connections.ts';
import { busy, switchedOff } from '../../../bridge/failures.ts';
import type { Access, DaemonFinder } from '../../../bridge/forward-request.ts';
import { Relay } from '../../../bridge/relay.ts';

interface LinePorts {
  readonly serveHttp: (connection: Duplex) => boolean;
  readonly isServed: () => boolean;
  readonly maxLineBytes: number;
}

/** A principal has far fewer requests in progress at once. */
const maxUnansweredRequests = 64;
/**
 * How long requests sent just before a client closed its end may still be answered. The client may
 * be gone altogether, and then nobody waits.
 */
const lastAnswersMilliseconds = 500;

/** @param connection its first bytes are still to be read. */
export function speakLines(connection: Socket, { serveHttp, isServed, maxLineBytes }: LinePorts): void {
  const opened = new Set<Duplex>();
  let isOver = false;

  function dial(): Duplex {
    const [near, far] = duplexPair();
    opened.add(near);
    for (const end of [near, far]) end.on('error', () => {});
    near.once('close', () => {
      opened.delete(near);
      far.destroy();
    });
    // Everything that was written before the end has been read by then.
    far.once('close', () => far.writableFinished || near.destroy(new Error('the connection ended')));
    if (!serveHttp(far)) far.destroy();
    return near;
  }

  const access: Access = {
    get isVoid() {
      return isOver;
    },
    // The socket is the credential.
    token: '',
    connections: async () => ({
      send: (post, signal, onOver) => sendBy({ host: '127.0.0.1', createConnection: dial }, post, signal, onOver),
    }),
    awaitAnswer: () => () => {},
    prove: async () => !isOver,
    drop() {},
  };
  const finder: DaemonFinder = {
    get isFound() {
      return !isOver && isServed();
    },
    discovery: async () => null,
    find: async () => (!isOver && isServed() ? { kind: 'found', access } : { kind: 'failed', failure: switchedOff }),
    failureSoFar: seconds => busy('busy', seconds),
  };
  const limits = { maxLineBytes, maxUnansweredBytes: maxLineBytes, maxUnansweredRequests };
  const relay = new Relay({ finder, output: new Output(connection), report: () => {}, limits });
  const input = new Input(connection, relay);
  const endWhenDone = (): void => {
    if (relay.isIdle) connection.end();
  };

  connection.on('drain', () => input.goOn());
  relay.onSettled(() => (connection.readableEnded ? endWhenDone() : input.goOn()));
  connection.once('end', () => {
    endWhenDone();
    setTimeout(() => connection.destroy(), lastAnswersMilliseconds).unref();
  });
  connection.once('close', () => {
    isOver = true;
    for (const near of opened) near.destroy(new Error('the client left'));
  });
}
