/**
 * What a new owner passphrase has to be (spec §11): the daemon refuses others, and a shell says so
 * before it sends one.
 */

export const leastPassphraseCharacters = 8;
const mostCharacters = 256;

/** A sentence: why it can't be one; null where it can. */
export function passphraseProblem(typed: string): string | null {
  const characters = [...typed].length;
  if (characters < leastPassphraseCharacters || characters > mostCharacters)
    return `A passphrase has ${leastPassphraseCharacters} to ${mostCharacters} characters.`;
  return /[\p{Cc}\p{Cs}]/u.test(typed) ? 'A passphrase has no control characters.' : null;
}
