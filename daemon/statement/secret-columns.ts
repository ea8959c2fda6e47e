/**
 * Which columns look by their name as if they held secrets, so nobody is shown their values
 * unasked. No wall: a statement that names such a column reads it.
 */

/** Whole words of a name: a passenger is no secret, and neither is a shipping address. */
const secretWord =
  /(?<![a-z])(?:pass(?:word|wort|wd|phrase|code)?|kennwort|pwd|secret|(?:api|private|access)_?key|credential|token|salt|hash|otp|pin|cvv|cvc|ssn|iban)s?(?![a-z])/;

export function looksSecret(column: string): boolean {
  return secretWord.test(column.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase());
}
