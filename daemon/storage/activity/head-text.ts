/** Parses the text of a head. In a file of its own, so the writing thread loads no schemas. */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import type { Head } from './chain.ts';

/** 16 bytes. */
const macText = z.base64().length(24);
const headShape = z.object({
  version: z.literal(1),
  keyId: z.string().length(16),
  last: z.object({ number: z.int().min(0), mac: macText }),
  tail: z.object({ number: z.int().min(0), mac: macText.nullable() }),
  counter: z.int().min(0),
  isAnchored: z.boolean(),
});

/** @returns null if it is no head of ours. */
export function parseHead(text: string): Head | null {
  const parsed = headShape.safeParse(parsedJson(text));
  if (!parsed.success) return null;
  const { last, tail } = parsed.data;
  return {
    ...parsed.data,
    last: { number: last.number, mac: Buffer.from(last.mac, 'base64') },
    tail: { number: tail.number, mac: tail.mac === null ? null : Buffer.from(tail.mac, 'base64') },
  };
}
