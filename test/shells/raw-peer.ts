/** A peer that writes any bytes to the control socket and records what comes back. */

import { connect, type Socket } from 'node:net';
import { seal, unseal } from '../../shared/control.ts';
import { newNonce, shellProof, shellSessionKey } from '../../shared/proofs.ts';

export interface RawPeer {
  readonly socket: Socket;
  write(text: string): void;
  send(message: unknown): void;
  /** The next line the daemon sends, or null once it has closed the connection. */
  nextLine(): Promise<string | null>;
  next(): Promise<{ id?: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } } | null>;
  closed: Promise<void>;
  end(): void;
}

export async function rawPeer(path: string): Promise<RawPeer> {
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const lines: string[] = [];
  const takers: ((line: string | null) => void)[] = [];
  let rest = '';
  let over = false;
  socket.on('error', () => {});
  socket.on('data', chunk => {
    const parts = (rest + chunk.toString('utf8')).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      const taker = takers.shift();
      if (taker === undefined) lines.push(line);
      else taker(line);
    }
  });
  const closed = new Promise<void>(resolve =>
    socket.once('close', () => {
      over = true;
      for (const taker of takers.splice(0)) taker(null);
      resolve();
    }),
  );
  const nextLine = () =>
    new Promise<string | null>(resolve => {
      const line = lines.shift();
      if (line !== undefined) resolve(line);
      else if (over) resolve(null);
      else takers.push(resolve);
    });
  return {
    socket,
    write: text => void socket.write(text),
    send: message => void socket.write(`${JSON.stringify(message)}\n`),
    nextLine,
    async next() {
      const line = await nextLine();
      return line === null ? null : JSON.parse(line);
    },
    closed,
    end: () => void socket.destroy(),
  };
}

export interface ProvedPeer {
  readonly peer: RawPeer;
  readonly key: string;
  readonly shellNonce: string;
  readonly daemonNonce: string;
  /** A sealed request as its line's text, not yet sent. */
  line(counter: number, message: unknown): string;
  open(counter: number, line: string | null): unknown;
}

/** @param says what it says of itself, beyond what it must. */
export async function provedPeer(path: string, secret: string, says: object = {}): Promise<ProvedPeer> {
  const peer = await rawPeer(path);
  const shellNonce = newNonce();
  peer.send(request('shell.challenge', { protocol: '2', nonce: shellNonce, shell: 'terminal', ...says }));
  const daemonNonce = String((await peer.next())?.result?.nonce);
  peer.send(request('shell.prove', { proof: shellProof(secret, 'shell', shellNonce, daemonNonce) }));
  await peer.next();
  const key = shellSessionKey(secret, shellNonce, daemonNonce);
  return {
    peer,
    key,
    shellNonce,
    daemonNonce,
    line: (counter, message) => JSON.stringify(seal(key, 'shell', counter, JSON.stringify(message))),
    open: (counter, line) => {
      const text = line === null ? null : unseal(key, 'daemon', counter, line);
      return text === null ? null : JSON.parse(text);
    },
  };
}

export function request(method: string, params?: unknown, id: number | string = 1) {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}
