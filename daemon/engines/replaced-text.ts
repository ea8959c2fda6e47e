/**
 * Bytes that aren't UTF-8 are replaced (spec §8). An engine warns for the whole statement; an
 * answer, only if it shows such a text.
 */

/** SQLite can't tell a replacement from the same character in the file. */
export const textReplaced = 'Some text contains U+FFFD in place of bytes that are not UTF-8.';

/** A statement's warnings, reduced to what is true of the shown rows. */
export function warningsOn(shown: { readonly json: string }, warnings: readonly string[]): readonly string[] {
  // Rows are searched only if an engine warned.
  if (!warnings.includes(textReplaced) || shown.json.includes('\ufffd')) return warnings;
  return warnings.filter(warning => warning !== textReplaced);
}
