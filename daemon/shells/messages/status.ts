/** What the daemon says of itself (spec §11). */

import * as z from 'zod';
import type { Message } from './message.ts';
import { passphraseView } from './passphrase.ts';

/** `ready` once clients are answered; `paused` while all are refused; `off` where the server is switched off. */
export const serverState = z.enum(['starting', 'ready', 'paused', 'off', 'stopping']);

export const secretPlace = z.enum(['keychain', 'file']);

export const daemonStatus = z.strictObject({
  version: z.string(),
  pid: z.int(),
  /** UUID of this run. */
  instance: z.string(),
  home: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  state: serverState,
  /** The TCP port bound on 127.0.0.1, or null where there is none. */
  port: z.int().nullable(),
  secrets: secretPlace,
  passphrase: passphraseView,
  connections: z.int(),
  tokens: z.int(),
  /** Access requests that wait for the person. */
  requestsWaiting: z.int(),
  /** Sentences a person ought to read: a taken port, secrets in a file. */
  notes: z.array(z.string()),
});
export type DaemonStatus = Message<typeof daemonStatus>;

export const statusResult = z.strictObject({
  ...daemonStatus.shape,
  /** The shells connected now, as they call themselves: `terminal`, `app`. */
  shells: z.array(z.string()),
});
export type StatusResult = Message<typeof statusResult>;

export const serverChange = daemonStatus.pick({ state: true, port: true, notes: true });

export const stopped = z.strictObject({ pid: z.int() });
export const pauseState = z.strictObject({ paused: z.boolean() });
