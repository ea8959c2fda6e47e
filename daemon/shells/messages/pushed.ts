/**
 * What every proved shell is told unasked, by its method; that of a list and of the activity only to who follows, that of confirmations
 * to the app.
 */

import * as z from 'zod';
import { activityAppended } from './activity.ts';
import { approvalView, approvalWithdrawn } from './approvals.ts';
import { confirmationView, confirmationWithdrawn } from './confirmations.ts';
import type { Message } from './message.ts';
import { pairingId } from './pairing.ts';
import { requestsWaiting } from './requests.ts';
import { serverChange } from './status.ts';

const nothing = z.strictObject({});

/** That a list is to be shown anew from here on; however often it changes, at most some times a second. */
export const following = z.strictObject({ following: z.boolean() });

export const pushed = {
  'approval.asked': approvalView,
  'approval.withdrawn': approvalWithdrawn,
  'requests.changed': requestsWaiting,
  /** This sheet had to wait, and may be drawn now. */
  'pairing.turn': pairingId,
  /** The server was switched on or off, paused or resumed, or moved to another port. */
  'server.changed': serverChange,
  /** To be listed anew: that it was several changes is not told. */
  'connections.changed': nothing,
  'tokens.changed': nothing,
  'settings.changed': nothing,
  'confirmation.asked': confirmationView,
  'confirmation.withdrawn': confirmationWithdrawn,
  'activity.appended': activityAppended,
} as const;

export type ControlNotifications = { readonly [Method in keyof typeof pushed]: Message<(typeof pushed)[Method]> };
export type ControlNotificationMethod = keyof ControlNotifications;
