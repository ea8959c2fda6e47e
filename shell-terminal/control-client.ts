/**
 * A proved connection from this shell to the daemon (spec §11): the daemon proves first, then this shell, then every line is
 * sealed. No request leaves before both proofs, so no secret can reach an impostor on the socket.
 */

import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCodes } from '../shared/codes.ts';
import {
  type ControlError,
  type ControlNotification,
  type ControlResponse,
  controlProtocolVersion,
  maxControlLineBytes,
  type ShellChallengeResult,
  sameMajorVersion,
  seal,
  unseal,
} from '../shared/control.ts';
import type { ControlCommands, ControlMethod } from '../shared/control-commands.ts';
import { LineSplitter } from '../shared/lines.ts';
import { folderProblem } from '../shared/private-files.ts';
import { isNonce, newNonce, sameSecret, shellProof, shellSessionKey } from '../shared/proofs.ts';

export interface ControlClient {
  /** @throws Refused when the daemon says no; ConnectionLost when it is gone before its answer. */
  ask<Method extends ControlMethod>(
    method: Method,
    params: ControlCommands[Method]['params'],
    /** What the owner typed to confirm it. */
    passphrase?: string | undefined,
    /** That Sallyport.app is to ask them, for which the answer waits. */
    confirm?: 'app' | undefined,
  ): Promise<ControlCommands[Method]['result']>;
  /** Told of what the daemon sends unasked, from now on. One listener; a later one takes its place. */
  onNotification(listener: (notification: ControlNotification) => void): void;
  close(): void;
  /** Settles once the connection is gone, whoever ended it. */
  readonly closed: Promise<void>;
}

export type Connecting =
  | { readonly kind: 'connected'; readonly client: ControlClient }
  /** Nobody listens. */
  | { readonly kind: 'absent' }
  /** Somebody does, but is no daemon of this home that we can talk to; a sentence. */
  | { readonly kind: 'untrusted'; readonly problem: string };

interface ConnectOptions {
  readonly controlSocket: string;
  readonly controlSocketFolder: string;
  readonly shellSecret: string;
  /** As `status` shows it. */
  readonly shell: string;
  readonly proofMilliseconds: number;
}

/** The daemon's no, in its own sentence. */
export class Refused extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor({ code, message, data }: ControlError) {
    super(message);
    this.name = 'Refused';
    this.code = code;
    this.data = data;
  }
}

export class ConnectionLost extends Error {
  constructor() {
    super('The daemon ended the connection before it answered; its log says why.');
    this.name = 'ConnectionLost';
  }
}

const redialMilliseconds = 20;

export async function connectToDaemon(options: ConnectOptions): Promise<Connecting> {
  const problem = folderProblem(options.controlSocketFolder);
  if (problem?.endsWith('does not exist')) return { kind: 'absent' };
  if (problem !== null) return { kind: 'untrusted', problem: `${problem}, so its control socket was not used.` };
  const giveUpAt = performance.now() + options.proofMilliseconds;
  for (;;) {
    const connecting = await dialAndProve(options, giveUpAt);
    if (connecting !== 'cut') return connecting;
    if (performance.now() > giveUpAt - redialMilliseconds)
      return untrusted('The control socket gave no proof in time.');
    await wait(redialMilliseconds);
  }
}

/** `cut` where a crowd of others kept us out: the queue was full, or newer silent peers pushed us out before our proof. */
async function dialAndProve(options: ConnectOptions, giveUpAt: number): Promise<Connecting | 'cut'> {
  const socket = await dial(options.controlSocket);
  if (socket === null) return { kind: 'absent' };
  if (socket === 'queue full') return 'cut';
  const channel = openChannel(socket);
  const deadline = setTimeout(() => socket.destroy(), Math.max(giveUpAt - performance.now(), 0));
  try {
    const sessionKey = await prove(channel, options);
    if (typeof sessionKey !== 'string') {
      socket.destroy();
      return sessionKey;
    }
    return { kind: 'connected', client: sealedClient(channel, sessionKey) };
  } catch (error) {
    socket.destroy();
    if (error instanceof ConnectionLost) return 'cut';
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** The session key, or why there is none. */
async function prove(
  channel: Channel,
  { shellSecret, shell }: ConnectOptions,
): Promise<string | Extract<Connecting, { kind: 'untrusted' }>> {
  const nonce = newNonce();
  const challenge = await channel.askPlain('shell.challenge', { protocol: controlProtocolVersion, nonce, shell });
  if ('error' in challenge) return untrusted(challenge.error.message);
  const offered = challenge.result as Partial<ShellChallengeResult> | null;
  if (typeof offered?.protocol !== 'string' || !isNonce(offered.nonce) || typeof offered.proof !== 'string') {
    return untrusted('The control socket is not answered by Sallyport.');
  }
  if (!sameMajorVersion(offered.protocol, controlProtocolVersion)) {
    return untrusted(
      `The daemon speaks control protocol ${offered.protocol.slice(0, 16)}, this command ${controlProtocolVersion}; update the older of the two, then restart the daemon.`,
    );
  }
  if (!sameSecret(offered.proof, shellProof(shellSecret, 'daemon', nonce, offered.nonce))) {
    return untrusted(
      'Whoever answers on the control socket did not prove to be the daemon of this home; nothing was sent to it.',
    );
  }
  const proof = shellProof(shellSecret, 'shell', nonce, offered.nonce);
  const proved = await channel.askPlain('shell.prove', { proof });
  if ('error' in proved) return untrusted(proved.error.message);
  return shellSessionKey(shellSecret, nonce, offered.nonce);
}

interface Channel {
  /** Rejects with ConnectionLost. */
  askPlain(method: string, params: Record<string, unknown>): Promise<ControlResponse>;
  /** From here on lines go to `onLine`; it throws for a line that must end the connection. */
  takeOver(onLine: (line: string) => void, onClosed: () => void): void;
  write(line: string): void;
  destroy(): void;
  readonly closed: Promise<void>;
}

function openChannel(socket: Socket): Channel {
  const lines = new LineSplitter(maxControlLineBytes);
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  let onLine = (_line: string): void => void socket.destroy();
  let onClosed = (): void => {};
  socket.on('error', () => socket.destroy());
  socket.on('close', () => onClosed());
  socket.on('data', chunk => {
    try {
      for (const line of lines.push(chunk)) onLine(line);
    } catch {
      socket.destroy();
    }
  });
  const write = (line: string): void => void socket.write(`${line}\n`);

  return {
    askPlain(method, params) {
      return new Promise((resolve, reject) => {
        onLine = line => resolve(parseResponse(line));
        onClosed = () => reject(new ConnectionLost());
        if (socket.destroyed) onClosed();
        else write(JSON.stringify({ jsonrpc: '2.0', id: 0, method, params }));
      });
    },
    takeOver(taker, ender) {
      onLine = taker;
      onClosed = ender;
    },
    write,
    destroy: () => void socket.destroy(),
    closed,
  };
}

function sealedClient(channel: Channel, sessionKey: string): ControlClient {
  const waiting = new Map<number | string, { resolve(result: unknown): void; reject(error: Error): void }>();
  let sent = 0;
  let received = 0;
  let gone = false;
  let onNotification = (_notification: ControlNotification): void => {};

  channel.takeOver(
    line => {
      received += 1;
      const text = unseal(sessionKey, 'daemon', received, line);
      if (text === null) throw new ConnectionLost();
      // The daemon has proved itself, so what it sends has the form that both sides' types say.
      const message: ControlResponse | ControlNotification = JSON.parse(text);
      if ('method' in message) {
        onNotification(message);
        return;
      }
      if (message.id === null) return;
      const asker = waiting.get(message.id);
      waiting.delete(message.id);
      if ('error' in message) asker?.reject(new Refused(message.error));
      else asker?.resolve(message.result);
    },
    () => {
      gone = true;
      for (const { reject } of waiting.values()) reject(new ConnectionLost());
      waiting.clear();
    },
  );

  return {
    ask<Method extends ControlMethod>(
      method: Method,
      params: ControlCommands[Method]['params'],
      passphrase?: string,
      confirm?: 'app',
    ) {
      return new Promise<ControlCommands[Method]['result']>((resolve, reject) => {
        if (gone) {
          reject(new ConnectionLost());
          return;
        }
        sent += 1;
        const message = JSON.stringify({ jsonrpc: '2.0', id: sent, method, params, passphrase, confirm });
        const line = JSON.stringify(seal(sessionKey, 'shell', sent, message));
        if (Buffer.byteLength(line) > maxControlLineBytes) {
          sent -= 1;
          reject(new Refused({ code: errorCodes.tooLarge, message: 'That is more than the control socket carries.' }));
          return;
        }
        waiting.set(sent, { resolve: result => resolve(result as ControlCommands[Method]['result']), reject });
        channel.write(line);
      });
    },
    onNotification(listener) {
      onNotification = listener;
    },
    close: channel.destroy,
    closed: channel.closed,
  };
}

/** Null where there is no daemon to talk to: no such socket, or nobody behind it. */
function dial(path: string): Promise<Socket | 'queue full' | null> {
  return new Promise(resolve => {
    const socket = connect(path);
    // Linux says EAGAIN where somebody listens and too many wait to be let in.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EAGAIN' ? 'queue full' : null));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

/** @throws SyntaxError; the channel then ends. */
function parseResponse(line: string): ControlResponse {
  return JSON.parse(line);
}

function untrusted(problem: string): Extract<Connecting, { kind: 'untrusted' }> {
  return { kind: 'untrusted', problem };
}
