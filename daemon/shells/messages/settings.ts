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
  /** What people call it in a form, and the heading it stands under there. */
  label: z.string(),
  group: z.string(),
  /** What it decides, in a few words. */
  about: z.string(),
  /** Completes "it takes …". */
  accepts: z.string(),
  /** How it is edited: what doesn't belong to its kind is empty. */
  kind: z.enum(['switch', 'choice', 'number']),
  choices: z.array(z.string()),
  least: z.int().nullable(),
  most: z.int().nullable(),
  unit: z.string().nullable(),
  /** What 0 stands for, where it is accepted although it is out of the range. */
  zeroMeans: z.string().nullable(),
});
export type SettingView = Message<typeof settingView>;

export const settingList = z.strictObject({ settings: z.array(settingView) });
