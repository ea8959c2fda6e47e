/**
 * Rules for a new owner passphrase (spec §11). The daemon enforces them; a shell checks them before
 * it sends one.
 */

export const leastPassphraseCharacters = 8;
const mostCharacters = 256;

/** A sentence that says what is wrong with it; null if nothing is. */
export function passphraseProblem(typed: string): string | null {
  const characters = [...typed].length;
  if (characters < leastPassphraseCharacters || characters > mostCharacters)
    return `A passphrase has ${leastPassphraseCharacters} to ${mostCharacters} characters.`;
  return /[\p{Cc}\p{Cs}]/u.test(typed) ? 'A passphrase has no control characters.' : null;
}
