/** Which types of its parameters a program may say itself. */

/** Smaller numbers are of types that PostgreSQL brings (transam.h). */
const firstOfUsers = 16_384;

/**
 * A type that somebody made may run code on each value, such as a domain's check, and no text that
 * is judged names it. Left open, the server takes the type from the text.
 *
 * @param types of a Parse: a count of two bytes, then four bytes each.
 */
export function withoutUsersTypes(types: Buffer): Buffer {
  const given = Buffer.from(types);
  for (let at = 2; at < given.length; at += 4) if (given.readUInt32BE(at) >= firstOfUsers) given.writeUInt32BE(0, at);
  return given;
}
