/**
 * Notifications for every proved shell, by method. Lists and activity go only to shells that follow
 * them, and what waits only to those that may see it.
 */

import * as z from 'zod';
import { activityRow } from './activity.ts';
import { deskChange } from './desk.ts';
import type { Message } from './message.ts';
import { serverChange } from './status.ts';

const nothing = z.strictObject({});

/** Whether the shell is told from now on. */
export const following = z.strictObject({ following: z.boolean() });

export const pushed = {
  /** What waits for the person, as far as this shell may see it. */
  'desk.changed': deskChange,
  /** The server was switched on or off, paused or resumed, or moved to another port. */
  'server.changed': serverChange,
  /** Ask for the list again; several changes may be one notification. */
  'connections.changed': nothing,
  'tokens.changed': nothing,
  'settings.changed': nothing,
  /** Oldest first. */
  'activity.appended': z.strictObject({ rows: z.array(activityRow) }),
} as const;

export type ControlNotifications = { readonly [Method in keyof typeof pushed]: Message<(typeof pushed)[Method]> };
export type ControlNotificationMethod = keyof ControlNotifications;
