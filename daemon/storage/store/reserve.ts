/**
 * Keeps what was taken from clients (pauses, ended tokens, narrowed connections) where the store
 * can't be written or has lost it (spec §1). The file is made while there is room and overwritten
 * in place, which a full disk allows. Two slots take turns, so after a kill in mid-write the other
 * one is whole.
 */

import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { readPrivateFile } from '../../../shared/private-files.ts';
import { aiPolicies, externalClientsLevels } from '../../access/connection.ts';
import type { NarrowedAccess } from '../../access/narrowed-access.ts';
import { storeDoubts } from '../../access/store-doubt.ts';
import { replacePrivateFileSync } from '../atomic-file.ts';

const ended = z.object({
  id: z.string(),
  /** ISO 8601; null if it was deleted. */
  revokedAt: z.string().nullable(),
});
export type EndedToken = Readonly<z.infer<typeof ended>>;

const narrowed = z.object({
  id: z.string(),
  level: z.enum(externalClientsLevels),
  writeUntil: z.string().nullable(),
  aiPolicy: z.enum(aiPolicies),
  removedAt: z.number().nullable(),
  isUnstored: z.boolean().optional(),
}) satisfies z.ZodType<NarrowedAccess>;

const shape = z.object({
  turn: z.int(),
  paused: z.boolean(),
  ended: z.array(ended).readonly(),
  /** Why it paused by itself; empty if a person did. */
  doubts: z.array(z.enum(storeDoubts)).readonly(),
  /** The latest come last. */
  narrowed: z.array(narrowed).readonly(),
});
type Slot = z.infer<typeof shape>;
/** What counts even if the store doesn't say so yet. */
type Held = Omit<Slot, 'turn'>;

export interface StoreReserve {
  held(): Held;
  /** @throws if there is no reserve, or no room in it. */
  hold(change: Partial<Held>): void;
}

/** The file's name in the home. */
export const reserveFile = 'reserve';

/** Room for some seventy tokens and the latest narrowed connections. */
const slotBytes = 32 * 1024;
/** The lists leave it free: when they are full, a pause must still fit. */
const pauseBytes = 256;
const nothing: Slot = { turn: 0, paused: false, doubts: [], ended: [], narrowed: [] };

/** @param report called if there is no room to make the file. */
export function openReserve(path: string, report: (error: unknown) => void): StoreReserve {
  const before = read(path);
  let current = before ?? nothing;
  try {
    if (before === null) replacePrivateFileSync(path, slotText(current).repeat(2));
  } catch (error) {
    report(error);
  }
  return {
    held: () => current,
    hold(change) {
      const next = { ...current, ...change, turn: current.turn + 1 };
      const text = slotText(next);
      const descriptor = openSync(path, 'r+');
      try {
        writeSync(descriptor, text, (next.turn % 2) * slotBytes);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      current = next;
    },
  };
}

function read(path: string): Slot | null {
  const file = readPrivateFile(path, 2 * slotBytes);
  if (file.kind === 'absent') return null;
  const text = file.kind === 'read' ? file.text : '';
  const slots = [text.slice(0, slotBytes), text.slice(slotBytes)].flatMap(slot => parse(slot) ?? []);
  // A pause that can't be read counts as one.
  return slots.sort((a, b) => b.turn - a.turn)[0] ?? { ...nothing, paused: true, doubts: ['damaged_reserve'] };
}

/** @returns null for what is no slot, or only half written. */
function parse(slot: string): Slot | null {
  const [digest, text = ''] = slot.trimEnd().split('\n');
  if (digest !== digestOf(text)) return null;
  return shape.safeParse(JSON.parse(text)).data ?? null;
}

/** ASCII alone: as many characters as bytes. */
function slotText(slot: Slot): string {
  const lists = JSON.stringify([slot.ended, slot.narrowed]);
  if (lists.length > slotBytes - pauseBytes) throw new Error('the reserve has no room for more');
  const json = JSON.stringify(slot);
  const text = `${digestOf(json)}\n${json}`;
  return `${text.padEnd(slotBytes - 1)}\n`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
