/**
 * Keeps a pause and the end of tokens where the store can't be written (spec §1): in a file that was made while there was room, and
 * is overwritten in place, which a full disk allows. Two slots by turns, so that a kill in mid-write leaves the last one whole.
 */

import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { readPrivateFile } from '../../../shared/private-files.ts';
import { replacePrivateFileSync } from '../atomic-file.ts';

export interface EndedToken {
  readonly id: string;
  /** ISO 8601; null for one that was deleted. */
  readonly revokedAt: string | null;
}

/** What holds though the store does not say so yet. */
interface Held {
  readonly paused: boolean;
  readonly ended: readonly EndedToken[];
}

export interface Reserve {
  held(): Held;
  /** @throws where there is no reserve, or no room in it. */
  hold(change: Partial<Held>): void;
}

const shape = z.object({
  turn: z.int(),
  paused: z.boolean(),
  ended: z.array(z.object({ id: z.string(), revokedAt: z.string().nullable() })).readonly(),
});
type Slot = z.infer<typeof shape>;

/** In the home. */
export const reserveFile = 'reserve';

/** Some hundred tokens. */
const slotBytes = 8 * 1024;
const nothing: Slot = { turn: 0, paused: false, ended: [] };

/** @param report told where there is no room to make it. */
export function openReserve(path: string, report: (error: unknown) => void): Reserve {
  let current = read(path) ?? nothing;
  try {
    if (readPrivateFile(path, 2 * slotBytes).kind === 'absent')
      replacePrivateFileSync(path, slotText(nothing).repeat(2));
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
  // A pause that can't be read is one.
  return slots.sort((a, b) => b.turn - a.turn)[0] ?? { ...nothing, paused: true };
}

/** Null for what is no slot, or one that was not written to its end. */
function parse(slot: string): Slot | null {
  const [digest, text = ''] = slot.trimEnd().split('\n');
  if (digest !== digestOf(text)) return null;
  return shape.safeParse(JSON.parse(text)).data ?? null;
}

/** Nothing in it but ASCII: as many characters as bytes. */
function slotText(slot: Slot): string {
  const json = JSON.stringify(slot);
  const text = `${digestOf(json)}\n${json}`;
  if (text.length >= slotBytes) throw new Error('the reserve has no room for more');
  return `${text.padEnd(slotBytes - 1)}\n`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
