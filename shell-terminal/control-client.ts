/**
 * A connection from this shell to the daemon (spec §11): the daemon proves itself first, then this
 * shell, then every line is sealed. No request leaves before both proofs, so no secret can reach an
 * impostor on the socket. A shell without the secret for a proof sends only brakes, unsealed.
 */

import { lstatSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ControlCommands, ControlMethod } from '../shared/asked-commands.ts';
import { errorCodes } from '../shared/codes.ts';
import {
  type ControlError,
  type ControlNotification,
  type ControlResponse,
  controlProtocolVersion,
  maxControlLineBytes,
  type ShellChallengeResult,
  seal,
  sshAgentHere,
  unseal,
} from '../shared/control.ts';
import { LineSplitter } from '../shared/lines.ts';
import { folderProblem, isThere } from '../shared/private-files.ts';
import { isNonce, newNonce, sameSecret, shellProof, shellSessionKey } from '../shared/proofs.ts';

export interface ControlClient {
  /** @throws Refused if the daemon refuses; ConnectionLost if it is gone before its answer. */
  ask<Method extends ControlMethod>(
    method: Method,
    params: ControlCommands[Method]['params'],
    /** Typed by the owner to confirm the request. */
    passphrase?: string | undefined,
    /** Asks the daemon to have Sallyport.app ask the person; the answer waits for that. */
    confirm?: 'app' | undefined,
  ): Promise<ControlCommands[Method]['result']>;
  /**
   * Called after an answer gave more access without confirmation, because the owner passphrase is
   * off.
   */
  onUnconfirmed(listener: () => void): void;
  /** Called for all notifications from now on. There is one listener; a later one replaces it. */
  onNotification(listener: (notification: ControlNotification) => void): void;
  close(): void;
  /** A sentence on why nothing was proved: only brakes are answered then. Null after the proofs. */
  readonly unproved: string | null;
  /** Settles once the connection is gone, whoever ended it. */
  readonly closed: Promise<void>;
}

export type Connecting =
  | { readonly kind: 'connected'; readonly client: ControlClient }
  /** Nobody listens. */
  | { readonly kind: 'absent' }
  /** Something listens, or a process holds the home's lock, but doesn't answer; a sentence. */
  | { readonly kind: 'unanswered'; readonly problem: string }
  /** Something listens, but it isn't a daemon of this home that we can talk to; a sentence. */
  | { readonly kind: 'untrusted'; readonly problem: string };

interface ConnectOptions {
  readonly controlSocket: string;
  readonly controlSocketFolder: string;
  readonly shellSecret: string;
  /** This shell's name for itself, as `status` shows it. */
  readonly shell: string;
  /** How long both proofs may take together. */
  readonly proofMilliseconds: number;
}

/** The daemon's refusal, in its own sentence. */
export class Refused extends Error {
  readonly code: number;
  readonly data: ControlError['data'];
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

/**
 * Connects and waits for both proofs. Dials again while others crowd it out.
 * @throws Error for what is neither the daemon's refusal nor a lost connection.
 */
export async function connectToDaemon(options: ConnectOptions): Promise<Connecting> {
  if (!isThere(options.controlSocketFolder)) return { kind: 'absent' };
  const problem = folderProblem(options.controlSocketFolder);
  if (problem !== null) return { kind: 'untrusted', problem: `${problem}, so its control socket was not used.` };
  const giveUpAt = performance.now() + options.proofMilliseconds;
  for (;;) {
    const connecting = await dialAndProve(options, giveUpAt);
    if (connecting !== 'cut') return connecting;
    if (performance.now() > giveUpAt - redialMilliseconds)
      return { kind: 'unanswered', problem: 'The control socket gave no proof in time.' };
    await wait(redialMilliseconds);
  }
}

/**
 * Connects without a proof of either side. The socket must be this user's own file.
 * @param why this shell can't prove itself; a sentence.
 */
export async function connectUnproved(
  { controlSocket, proofMilliseconds }: Pick<ConnectOptions, 'controlSocket' | 'proofMilliseconds'>,
  why: string,
): Promise<Connecting> {
  const giveUpAt = performance.now() + proofMilliseconds;
  const first = await dialOwn(controlSocket, why, giveUpAt);
  if ('kind' in first) return first;
  let link = first;
  const client: ControlLink = {
    ...first,
    unproved: why,
    close: () => link.close(),
    async ask(method, params) {
      const askUntil = performance.now() + proofMilliseconds;
      for (;;) {
        const late = setTimeout(link.close, Math.max(askUntil - performance.now(), 0));
        try {
          return await link.ask(method, params);
        } catch (error) {
          const isHeldBack = error instanceof Refused && error.code === errorCodes.unauthenticated;
          if (isHeldBack) throw new Refused({ ...error, message: why });
          if (!(error instanceof ConnectionLost) || performance.now() > askUntil - redialMilliseconds) throw error;
          await wait(redialMilliseconds);
          // Others crowded the connection out. A brake may be asked for twice without harm.
          const again = await dialOwn(controlSocket, why, askUntil);
          if ('kind' in again) throw error;
          link = again;
        } finally {
          clearTimeout(late);
        }
      }
    },
  };
  return { kind: 'connected', client: client as ControlClient };
}

/**
 * Dials this user's own socket. Dials again while its queue is full, or while a file of somebody
 * else stands there, which the daemon replaces soon.
 */
async function dialOwn(path: string, why: string, giveUpAt: number): Promise<ControlLink | Connecting> {
  for (;;) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'absent' };
    const isOwn = stats.isSocket() && stats.uid === process.getuid?.();
    const link = isOwn ? await dial(path) : 'not ours';
    if (link === null) return { kind: 'absent' };
    if (typeof link === 'object') return link;
    if (performance.now() > giveUpAt - redialMilliseconds)
      return untrusted(
        link === 'queue full'
          ? `The control socket is busy; try again. ${why}`
          : `${path} is not a socket of yours, so it was not used. ${why}`,
      );
    await wait(redialMilliseconds);
  }
}

/**
 * Dials once. @returns `cut` if others crowded us out: the queue was full, or newer silent peers
 * pushed us out before our proof.
 */
async function dialAndProve(options: ConnectOptions, giveUpAt: number): Promise<Connecting | 'cut'> {
  const link = await dial(options.controlSocket);
  if (link === null) return { kind: 'absent' };
  if (link === 'queue full') return 'cut';
  const deadline = setTimeout(link.close, Math.max(giveUpAt - performance.now(), 0));
  try {
    const problem = await prove(link, options);
    if (problem === null) return { kind: 'connected', client: link as ControlClient };
    link.close();
    return untrusted(problem);
  } catch (error) {
    link.close();
    if (error instanceof ConnectionLost) return 'cut';
    if (error instanceof Refused)
      return untrusted(error.code === errorCodes.unsupportedProtocolVersion ? otherVersion : error.message);
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/**
 * Has the daemon prove itself first, then proves this shell.
 * @returns null, or why the daemon isn't believed.
 * @throws Refused, ConnectionLost
 */
async function prove(link: ControlLink, { shellSecret, shell }: ConnectOptions): Promise<string | null> {
  const nonce = newNonce();
  const { pid } = process;
  const told = { protocol: controlProtocolVersion, nonce, shell, pid, ...sshAgentHere(process.env) };
  const challenge = await link.ask('shell.challenge', told);
  const offered = challenge as Partial<ShellChallengeResult> | null;
  if (typeof offered?.protocol !== 'string' || !isNonce(offered.nonce) || typeof offered.proof !== 'string') {
    return 'The control socket is not answered by Sallyport.';
  }
  if (offered.protocol !== controlProtocolVersion) return otherVersion;
  if (!sameSecret(offered.proof, shellProof(shellSecret, 'daemon', nonce, offered.nonce))) {
    return 'The program on the control socket did not prove that it is the daemon of this home; nothing was sent to it.';
  }
  await link.prove(
    shellProof(shellSecret, 'shell', nonce, offered.nonce),
    shellSessionKey(shellSecret, nonce, offered.nonce),
  );
  return null;
}

const otherVersion =
  'The daemon that runs is of another version than this command; `sallyport restart` starts the one of this version.';

interface ControlLink extends Omit<ControlClient, 'ask'> {
  /** @throws Refused, ConnectionLost */
  ask(method: string, params: unknown, passphrase?: string, confirm?: 'app'): Promise<unknown>;
  /** Proves this shell. Every line after the answer is sealed. @throws as `ask` */
  prove(proof: string, sessionKey: string): Promise<void>;
}

function openLink(socket: Socket): ControlLink {
  const lines = new LineSplitter(maxControlLineBytes);
  const waiting = new Map<number | string, { resolve(result: unknown): void; reject(error: Error): void }>();
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  /** Null until both sides have proved themselves. */
  let sessionKey: string | null = null;
  let asked = 0;
  let sent = 0;
  let received = 0;
  let onNotification = (_notification: ControlNotification): void => {};
  let onUnconfirmed = (): void => {};
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new ConnectionLost());
    waiting.clear();
  });
  socket.on('data', chunk => {
    try {
      for (const line of lines.push(chunk)) take(line);
    } catch {
      socket.destroy();
    }
  });

  /** @throws for a line that must end the connection. */
  function take(line: string): void {
    if (sessionKey !== null) received += 1;
    const text = sessionKey === null ? line : unseal(sessionKey, 'daemon', received, line);
    if (text === null) throw new ConnectionLost();
    // The daemon has proved itself, so its messages have the declared types.
    const message: ControlResponse | ControlNotification = JSON.parse(text);
    if ('method' in message) {
      onNotification(message);
      return;
    }
    if (message.id === null) return;
    const asker = waiting.get(message.id);
    waiting.delete(message.id);
    if ('error' in message) asker?.reject(new Refused(message.error));
    else {
      if (message.unconfirmed) onUnconfirmed();
      asker?.resolve(message.result);
    }
  }

  function sealedLine(key: string, message: string): string {
    const line = JSON.stringify(seal(key, 'shell', sent + 1, message));
    if (Buffer.byteLength(line) > maxControlLineBytes) {
      throw new Refused({
        code: errorCodes.tooLarge,
        message: 'That is too large for the control socket.',
        data: { code: 'too_large' },
      });
    }
    sent += 1;
    return line;
  }

  /** @param answered called with the result before any later line is read. */
  function request(message: object, answered: (result: unknown) => void = () => {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (socket.destroyed) throw new ConnectionLost();
      asked += 1;
      const text = JSON.stringify({ jsonrpc: '2.0', id: asked, ...message });
      const line = sessionKey === null ? text : sealedLine(sessionKey, text);
      waiting.set(asked, {
        resolve(result) {
          answered(result);
          resolve(result);
        },
        reject,
      });
      socket.write(`${line}\n`);
    });
  }

  return {
    ask: (method, params, passphrase, confirm) => request({ method, params, passphrase, confirm }),
    async prove(proof, key) {
      await request({ method: 'shell.prove', params: { proof } }, () => {
        sessionKey = key;
      });
    },
    onUnconfirmed(listener) {
      onUnconfirmed = listener;
    },
    onNotification(listener) {
      onNotification = listener;
    },
    close: () => void socket.destroy(),
    unproved: null,
    closed,
  };
}

/** @returns null if no daemon is there: there is no such socket, or nobody listens on it. */
function dial(path: string): Promise<ControlLink | 'queue full' | null> {
  return new Promise(resolve => {
    const socket = connect(path);
    // Linux reports EAGAIN if a process listens and too many already wait.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EAGAIN' ? 'queue full' : null));
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(openLink(socket));
    });
  });
}

function untrusted(problem: string): Connecting {
  return { kind: 'untrusted', problem };
}
