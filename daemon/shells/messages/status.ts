/** The daemon's state (spec §11). */

import * as z from 'zod';
import { noteCodes } from '../../../shared/note.ts';
import type { Message } from './message.ts';
import { passphraseStatus } from './passphrase.ts';

/**
 * `ready` once clients are answered; `paused` while all are refused; `off` if the server is
 * switched off.
 */
export const serverState = z.enum(['starting', 'ready', 'paused', 'off', 'stopping']);

export const secretPlace = z.enum(['keychain', 'file']);

/** shared/note.ts has its words. */
export const note = z.strictObject({
  code: z.enum(noteCodes),
  /** One or more sentences. */
  sentence: z.string(),
  /** What to do, if the sentence doesn't say it: a clause without its full stop. */
  advice: z.string().optional(),
});

const ownStatus = z.strictObject({
  version: z.string(),
  pid: z.int(),
  /** UUID of this run. */
  instance: z.string(),
  home: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  state: serverState,
  /** The TCP port on 127.0.0.1; null if there is none. */
  port: z.int().nullable(),
  secrets: secretPlace,
  passphrase: passphraseStatus,
  connections: z.int(),
  tokens: z.int(),
  /** What a person should read: a taken port, secrets in a file. */
  notes: z.array(note),
});
export type DaemonStatus = Message<typeof ownStatus>;

export const daemonStatus = z.strictObject({
  ...ownStatus.shape,
  /** The connected shells' names for themselves: `terminal`, `app`. */
  shells: z.array(z.string()),
  /** How much waits for the person, as far as the asking shell may see it. */
  waiting: z.int(),
});
export type StatusResult = Message<typeof daemonStatus>;

export const serverChange = ownStatus.pick({ state: true, port: true, notes: true });

export const stopped = z.strictObject({ pid: z.int() });
export const pauseState = z.strictObject({ paused: z.boolean() });
