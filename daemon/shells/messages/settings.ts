/** The daemon's settings (spec §16), as shells show them. */

import * as z from 'zod';
import type { Message } from './message.ts';

export const settingValue = z.union([z.boolean(), z.int(), z.string()]);

export const settingView = z.strictObject({
  /** `results.maxRows`. */
  key: z.string(),
  value: settingValue,
  default: settingValue,
  /** Its label in a form, and the heading above it. */
  label: z.string(),
  group: z.string(),
  /** What it decides, in a few words. */
  about: z.string(),
  /** Completes "it takes …". */
  accepts: z.string(),
  /** How it is edited; members of other kinds are empty. */
  kind: z.enum(['switch', 'choice', 'number', 'text']),
  choices: z.array(z.string()),
  least: z.int().nullable(),
  most: z.int().nullable(),
  unit: z.string().nullable(),
  /** What 0 means, if it is accepted although it is out of range. */
  zeroMeans: z.string().nullable(),
});
export type SettingView = Message<typeof settingView>;

export const settingList = z.strictObject({ settings: z.array(settingView) });
