/**
 * Which columns look by their name as if they held secrets, so nobody is shown their values unasked.
 * No wall: a statement that names such a column reads it.
 */

/** Part of a name that holds a secret. */
export const secretWord =
  '(?:pass(?:word|wd|phrase|code)?|pwd|secret|api_?key|private_?key|access_?key|credentials?|(?:auth|access|refresh|bearer|session|api)_?token)';

/** Whole words of a name alone: a passenger is no secret, and neither is a shipping address. */
const wholeWords = new RegExp(
  `(?<![a-z])(?:${secretWord}|passwort|kennwort|tokens?|salt|hash|otp|pin|cvv|cvc|ssn|iban)s?(?![a-z])`,
);

export function looksSecret(column: string): boolean {
  return wholeWords.test(column.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase());
}
