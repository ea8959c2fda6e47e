/** The shapes that commands' parameters share. */

import * as z from 'zod';
import type { FieldCounts } from '../../../shared/control.ts';
import type { Clause, NumberText } from '../../../shared/texts.ts';

export const nothing = z.strictObject({});

/**
 * No control, bidirectional, zero-width or unassigned characters, no line separators; counted in
 * code points.
 */
export function printable(most: number): z.ZodType<string> {
  return z
    .string('a text is expected')
    .refine(text => isPrintable(text, most), upTo(most, '1 to %lld printable characters are expected'))
    .refine(text => text.trim() === text, 'no space may be at its beginning or end');
}

function isPrintable(text: string, most: number): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(text) && [...text].length <= most;
}

/** The refusal of a number or a length; a shell words it with the number from its own table. */
export function upTo(
  most: number,
  code: Clause<NumberText>,
): { readonly message: string; readonly params: FieldCounts } {
  return { message: code.replace('%lld', String(most)), params: { code, values: [most] } };
}

export const id = z.string('an id is expected').max(64, 'an id is expected');

export const namedConnection = z.strictObject({
  connection: z.string('an id or a name is expected').max(256, 'an id or a name is expected'),
});

/** Fingerprint of the SSH host key that a person has confirmed: ssh accepts only this key. */
export const fingerprint = z
  .string('a fingerprint is expected')
  .regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'a fingerprint is expected');

/** Would be taken for an id where an id or a name is accepted. */
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const connectionName = printable(64).refine(
  name => !idPattern.test(name),
  'a name may not have the form of an id',
);

/** For a long list: where the wanted page begins. */
export const fromPlace = z.strictObject({ from: z.number().int().min(0).optional() });

export const instant = z
  .string('an ISO 8601 instant is expected')
  .max(40, 'an ISO 8601 instant is expected')
  .refine(text => !Number.isNaN(Date.parse(text)), 'an ISO 8601 instant is expected');
