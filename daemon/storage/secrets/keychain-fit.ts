/**
 * What a secret must be like for a keychain to return it unchanged. The file has the same rule, so
 * secrets can move.
 */

/**
 * @throws TypeError: an empty value counts as none, NUL cuts it short, and half a surrogate pair
 *   comes back as another character.
 */
export function refuseUnfit(id: string, value: string): void {
  if (value === '' || value.includes('\0')) throw new TypeError('a secret is empty or has a NUL character');
  if (Buffer.from(value, 'utf8').toString('utf8') !== value) throw new TypeError('a secret is not valid Unicode');
  if (id === '' || id.includes('\0')) throw new TypeError("a secret's id is empty or has a NUL character");
}
