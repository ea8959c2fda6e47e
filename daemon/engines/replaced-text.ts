/**
 * Bytes that are not UTF-8 are replaced (spec §8). An engine warns of it for a whole statement, an
 * answer where it shows it.
 */

/** SQLite can't tell such a character from one that stands in the file as it is. */
export const textReplaced =
  'Some text holds U+FFFD: where there were bytes that are not UTF-8, this character stands in their place.';

/** A statement's warnings, as they are true of what is shown of its rows. */
export function warningsOn(shown: { readonly json: string }, warnings: readonly string[]): readonly string[] {
  // Rows are looked through only where an engine warned.
  if (!warnings.includes(textReplaced) || shown.json.includes('\ufffd')) return warnings;
  return warnings.filter(warning => warning !== textReplaced);
}
