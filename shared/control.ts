/**
 * The control socket's messages (spec §11): JSON-RPC 2.0, one per line. `identify` and the two
 * steps of the shell's proof are plain. Every later line is sealed: `{ counter, mac, message }`,
 * with the message's JSON text inside.
 */

import type { ConfirmationFact, ControlNotifications } from './control-commands.ts';
import { isObject, parsedJson } from './json.ts';
import { lineProof, type ShellSide, sameSecret } from './proofs.ts';
import type { RefusalData } from './refusals.ts';

/** Counts up when a peer of the former one would misread a message. Both sides refuse another. */
export const controlProtocolVersion = '2';
export const maxControlLineBytes = 1_048_576;

export interface ControlRequest {
  readonly jsonrpc: '2.0';
  readonly id: number | string;
  readonly method: string;
  readonly params?: Record<string, unknown>;
  /** The owner passphrase, for a privilege increase (spec §11). Sealed lines only. */
  readonly passphrase?: string;
  /**
   * For a privilege increase. From Sallyport.app: a person was shown its effect and agreed. From
   * any other shell: the app shall ask the person; the answer waits for that. Sealed lines only.
   */
  readonly confirm?: 'app';
  /**
   * From Sallyport.app, with `confirm`: Touch ID's signature of the `touchId` of the refusal.
   * Sealed lines only.
   */
  readonly touchId?: string;
}
/**
 * `data` of a refused privilege increase that can be repeated with a confirmation. A passphrase
 * sent with the same request on this connection confirms the facts told last. If they have changed
 * meanwhile, the request is refused again with the new facts.
 */
export type ConfirmationWay = (
  | { readonly confirm: 'passphrase' }
  /** None is chosen yet. Choose one (`passphrase.set`), then go on as with `passphrase`. */
  | { readonly confirm: 'choose' }
  /** Confirm with `confirm: 'app'`; `passphrase` is there if the owner passphrase works too. */
  | {
      readonly confirm: 'app';
      readonly passphrase?: true;
      /** For Sallyport.app, if Touch ID must confirm: the text for it to sign. */
      readonly touchId?: string;
    }
) & {
  /** Shown before the passphrase is typed. */
  readonly facts?: readonly ConfirmationFact[];
};
export type ConfirmationWanted = ConfirmationWay & {
  /**
   * Its effect, or what was wrong with the typed passphrase: shown above the prompt, below the
   * facts. `parts` are this sentence's.
   */
  readonly sentence: string;
};
/** `data` of a refusal that concerns one parameter: `endpoint.host`. */
export interface FieldRefused {
  readonly field: string;
  /** Why, as a clause without its full stop. The error's message has both. */
  readonly why: string;
  /** Of a sentence with numbers in it. */
  readonly counts?: FieldCounts;
}
export interface FieldCounts {
  /** The same clause with `%lld` for each number. */
  readonly code: string;
  readonly values: readonly number[];
}
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
  /**
   * With the members of `ConfirmationWanted` or `FieldRefused` where it can be asked again, or
   * concerns a parameter.
   */
  readonly data: RefusalData & Readonly<Record<string, unknown>>;
}
export type ControlResponse =
  | {
      readonly jsonrpc: '2.0';
      readonly id: number | string;
      readonly result: unknown;
      /** It gave more access without a confirmation, because the owner passphrase is off. */
      readonly unconfirmed?: true;
    }
  | { readonly jsonrpc: '2.0'; readonly id: number | string | null; readonly error: ControlError };
export type ControlMessage = ControlRequest | ControlNotification | ControlResponse;

/**
 * What the daemon tells every client first, in the form of `server/discover`. A bridge that has
 * just seen the proof can answer `initialize` without another request.
 */
export interface Discovery {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly instructions: string;
  readonly _meta: Readonly<Record<string, unknown>>;
}

/** `identify`: anyone who can open the socket may ask. */
export interface IdentifyParams {
  readonly nonce: string;
  readonly protocol: string;
  /** Also in a shell's challenge: where this login's SSH agent listens, for tunnels. */
  readonly sshAgent?: string;
}
export type IdentifyResult =
  | {
      readonly server: 'on';
      readonly protocol: string;
      readonly version: string;
      readonly instance: string;
      readonly port: number;
      /** `identifyProof` with the token that is in the handshake file after this answer. */
      readonly proof: string;
      /** Absent while requests are refused (spec §2 Off); HTTP tells the reason. */
      readonly discovery?: Discovery;
    }
  /** Comes without proof, so nothing is sent because of it. */
  | { readonly server: 'off'; readonly protocol: string; readonly version: string };

/** `shell.challenge`: the daemon proves itself first; then `shell.prove`: both sides seal. */
export interface ShellChallengeResult {
  readonly protocol: string;
  readonly nonce: string;
  readonly proof: string;
}

interface SealedLine {
  readonly counter: number;
  readonly mac: string;
  /** JSON text of a ControlMessage. */
  readonly message: string;
}

export function seal(sessionKey: string, sender: ShellSide, counter: number, message: string): SealedLine {
  return { counter, mac: lineProof(sessionKey, sender, counter, message), message };
}

/**
 * The message's text. Null for a forged, replayed or reordered line: the connection then closes
 * without an answer.
 */
export function unseal(sessionKey: string, sender: ShellSide, expectedCounter: number, line: string): string | null {
  const sealed = parsedJson(line);
  if (!isObject(sealed) || typeof sealed.message !== 'string' || typeof sealed.mac !== 'string') return null;
  if (sealed.counter !== expectedCounter) return null;
  const expected = lineProof(sessionKey, sender, expectedCounter, sealed.message);
  return sameSecret(sealed.mac, expected) ? sealed.message : null;
}

/** What a peer tells of its SSH agent when it introduces itself. */
export function sshAgentHere({ SSH_AUTH_SOCK: path }: { readonly SSH_AUTH_SOCK?: string | undefined }): {
  readonly sshAgent?: string;
} {
  return path?.startsWith('/') === true ? { sshAgent: path } : {};
}
