/** The daemon's settings (spec §16), as shells show them. */

import * as z from 'zod';
import type { Message } from './message.ts';

export const settingValue = z.union([z.boolean(), z.int(), z.string()]);
export type SettingValueView = Message<typeof settingValue>;

export const settingView = z.strictObject({
  /** `results.maxRows`. */
  key: z.string(),
  value: settingValue,
  default: settingValue,
  /** Completes "it takes …". */
  accepts: z.string(),
  /** What it decides, in a few words. */
  about: z.string(),
});
export type SettingView = Message<typeof settingView>;

export const settingList = z.strictObject({ settings: z.array(settingView) });
