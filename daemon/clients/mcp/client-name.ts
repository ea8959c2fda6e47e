/**
 * Makes a client's own name fit to show and for a database's session list. A claim, not an
 * identity.
 */

const longestName = 64;
/** Control, bidirectional, zero-width and other invisible characters, and lone surrogates. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** @returns null if nothing readable is left. */
export function cleanClientName(claimed: unknown): string | null {
  if (typeof claimed !== 'string') return null;
  const readable = claimed.slice(0, 1_024).replace(invisible, '').trim();
  return readable === '' ? null : [...readable].slice(0, longestName).join('');
}
