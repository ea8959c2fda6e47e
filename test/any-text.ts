/**
 * Arbitrary text for properties. fast-check's own unit `binary` lists all of Unicode first: that
 * takes a second, and 130 MB that a worker keeps.
 */

import fc from 'fast-check';

const codePoints = 0x11_0000;
const firstSurrogate = 0xd800;
const surrogates = 0x800;

/** Any code point except a half of a surrogate pair. */
const unit = fc
  .nat(codePoints - surrogates - 1)
  .map(number => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates));

/** @param maxLength in code points. */
export function anyText(maxLength?: number): fc.Arbitrary<string> {
  return fc.string({ unit, ...(maxLength === undefined ? {} : { maxLength }) });
}
