/** Parses the text of a head. In a file of its own, so the writing thread loads no schemas. */

import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import type { Head } from './chain.ts';

/** 16 bytes; 32 in a row of an earlier version. */
const macText = z.union([z.base64().length(24), z.base64().length(44)]);
const headShape = z.object({
  keyId: z.string().length(16),
  last: z.object({ number: z.int().min(0), mac: macText }),
  tail: z.object({ number: z.int().min(0), mac: macText.nullable() }),
});
const numbered = { counter: z.int().min(0), isAnchored: z.boolean() };
/** Version 1 has no seal in the secret store and no counter. */
const anyHead = z.discriminatedUnion('version', [
  headShape.extend({ version: z.literal(1) }).transform(head => ({ ...head, counter: 0, isAnchored: false })),
  headShape.extend({ version: z.literal(2), ...numbered }),
]);

/** @returns null if it is no head of ours. */
export function parseHead(text: string): (Head & { readonly version: 1 | 2 }) | null {
  const parsed = anyHead.safeParse(parsedJson(text));
  if (!parsed.success) return null;
  const { last, tail } = parsed.data;
  return {
    ...parsed.data,
    last: { number: last.number, mac: Buffer.from(last.mac, 'base64') },
    tail: { number: tail.number, mac: tail.mac === null ? null : Buffer.from(tail.mac, 'base64') },
  };
}
