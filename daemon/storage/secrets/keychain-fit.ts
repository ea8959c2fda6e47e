/**
 * What a secret must be for a keychain to give it back whole. The file holds itself to the same, so
 * that it can be moved.
 */

/**
 * @throws TypeError: an empty value is none, NUL ends it early, half a surrogate pair comes back as
 * another character.
 */
export function refuseUnfit(id: string, value: string): void {
  if (value === '' || value.includes('\0')) throw new TypeError('a secret is empty or has a NUL character');
  if (Buffer.from(value, 'utf8').toString('utf8') !== value) throw new TypeError('a secret is not valid Unicode');
  if (id === '' || id.includes('\0')) throw new TypeError("a secret's id is empty or has a NUL character");
}
