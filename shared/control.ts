/**
 * The control socket's messages (spec §11): JSON-RPC 2.0, one a line. `identify` and the two steps
 * of the shell's proof are sent plain; every later line is sealed, `{ counter, mac, message }`,
 * with the message's JSON text inside.
 */

import type { ConfirmationFact, ControlNotifications } from './control-commands.ts';
import { isObject, parsedJson } from './json.ts';
import { lineProof, type ShellSide, sameSecret } from './proofs.ts';

/** Another major version is refused by name on both sides. */
export const controlProtocolVersion = '1.0';
export const maxControlLineBytes = 1_048_576;

export interface ControlRequest {
  readonly jsonrpc: '2.0';
  readonly id: number | string;
  readonly method: string;
  readonly params?: Record<string, unknown>;
  /**
   * The owner passphrase, where the request is a privilege increase (spec §11). Sealed lines only.
   */
  readonly passphrase?: string;
  /**
   * Where the request is a privilege increase: from Sallyport.app, that a person was shown there
   * what it does and said yes; from any other shell, that the app is to ask them, for which the
   * answer waits. Sealed lines only.
   */
  readonly confirm?: 'app';
  /**
   * From Sallyport.app, with `confirm`: Touch ID's signature of the `touchId` of the refusal.
   * Sealed lines only.
   */
  readonly touchId?: string;
}
/**
 * `data` of the refusal of a privilege increase, where it can be asked again with a confirmation. A
 * passphrase sent with the very same request on this connection confirms what was told last, and is
 * refused, with what it would be now, where that changed.
 */
export type ConfirmationWanted = (
  | { readonly confirm: 'passphrase' }
  /** There is none yet: once one is chosen (`passphrase.set`), as with `passphrase`. */
  | { readonly confirm: 'choose' }
  /** By `confirm: 'app'`; `passphrase` where the owner passphrase would do as well. */
  | {
      readonly confirm: 'app';
      readonly passphrase?: true;
      /** To Sallyport.app, where no yes will do without Touch ID: what it is to sign. */
      readonly touchId?: string;
    }
) & {
  /**
   * What it does, and what was wrong with what was typed: to be shown above the prompt, below the
   * facts.
   */
  readonly sentence: string;
  /** To be shown before a passphrase is typed. */
  readonly facts?: readonly ConfirmationFact[];
};
export type ControlNotification = {
  readonly [Method in keyof ControlNotifications]: {
    readonly jsonrpc: '2.0';
    readonly method: Method;
    readonly params: ControlNotifications[Method];
  };
}[keyof ControlNotifications];
export interface ControlError {
  readonly code: number;
  /** One sentence for a person. */
  readonly message: string;
  readonly data?: unknown;
}
export type ControlResponse =
  | {
      readonly jsonrpc: '2.0';
      readonly id: number | string;
      readonly result: unknown;
      /** It gave more access and nobody confirmed it, since the owner passphrase is off. */
      readonly unconfirmed?: true;
    }
  | { readonly jsonrpc: '2.0'; readonly id: number | string | null; readonly error: ControlError };
export type ControlMessage = ControlRequest | ControlNotification | ControlResponse;

/**
 * What every client is told first, whoever it is, as `server/discover` words it: so a bridge that
 * has just been shown the proof can answer `initialize` without a request of its own.
 */
export interface Discovery {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string;
  readonly _meta: Readonly<Record<string, unknown>>;
}

/** `identify`, asked by anyone who can open the socket. */
export interface IdentifyParams {
  readonly nonce: string;
  readonly protocol: string;
  /** As a shell's challenge has it too: where the SSH agent of this login listens, for tunnels. */
  readonly sshAgent?: string;
}
export type IdentifyResult =
  | {
      readonly server: 'on';
      readonly protocol: string;
      readonly version: string;
      readonly instance: string;
      readonly port: number;
      /**
       * `identifyProof` under the token that stands in the handshake file once this is answered.
       */
      readonly proof: string;
      /** Absent while requests are refused (spec §2 Off): whoever asks over HTTP is told why. */
      readonly discovery?: Discovery;
    }
  /** Said without proof: nothing is sent on the strength of it. */
  | { readonly server: 'off'; readonly protocol: string; readonly version: string };

/** `shell.challenge` → the daemon proves first; then `shell.prove` → both sides seal. */
export interface ShellChallengeResult {
  readonly protocol: string;
  readonly nonce: string;
  readonly proof: string;
}

interface SealedLine {
  readonly counter: number;
  readonly mac: string;
  /** The JSON text of a ControlMessage. */
  readonly message: string;
}

export function seal(sessionKey: string, sender: ShellSide, counter: number, message: string): SealedLine {
  return { counter, mac: lineProof(sessionKey, sender, counter, message), message };
}

/**
 * The message's text, or null for a forged, replayed or reordered line: the connection is then
 * closed without an answer.
 */
export function unseal(sessionKey: string, sender: ShellSide, expectedCounter: number, line: string): string | null {
  const sealed = parsedJson(line);
  if (!isObject(sealed) || typeof sealed.message !== 'string' || typeof sealed.mac !== 'string') return null;
  if (sealed.counter !== expectedCounter) return null;
  const expected = lineProof(sessionKey, sender, expectedCounter, sealed.message);
  return sameSecret(sealed.mac, expected) ? sealed.message : null;
}

export function sameMajorVersion(a: string, b: string): boolean {
  return a.split('.')[0] === b.split('.')[0];
}

/** What a peer tells of its SSH agent as it introduces itself. */
export function sshAgentHere({ SSH_AUTH_SOCK: path }: { readonly SSH_AUTH_SOCK?: string | undefined }): {
  readonly sshAgent?: string;
} {
  return path?.startsWith('/') === true ? { sshAgent: path } : {};
}
