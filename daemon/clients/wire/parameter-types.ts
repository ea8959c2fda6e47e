/**
 * Which types of its parameters a program may say itself. A type that somebody made may run code on
 * each value, such as a domain's check, and no text that is judged names it. Left open, the server
 * takes the type from the text.
 */

/** Smaller numbers are of types that PostgreSQL brings (transam.h). */
const firstOfUsers = 16_384;

const is = 'OPERATOR(pg_catalog.=)';
const below = 'OPERATOR(pg_catalog.<)';
/** A base type's own code is the server's or an extension's; an enum has none. */
const isPlain = (type: string, part: string): string =>
  `(${type}.typtype ${is} 'b' OR ${type}.typtype ${is} 'e') AND ${part}`;
const isOwn = (oid: string): string => `${oid} ${below} ${firstOfUsers}::pg_catalog.oid`;

/**
 * In: numbers of types, as an array. Out: number, schema and name of each base type, enum and array
 * of those.
 */
export const plainTypesSql = `SELECT t.oid, n.nspname, t.typname FROM pg_catalog.unnest($1::pg_catalog.oid[]) AS x(oid)
  JOIN pg_catalog.pg_type AS t ON t.oid ${is} x.oid JOIN pg_catalog.pg_namespace AS n ON n.oid ${is} t.typnamespace
  LEFT JOIN pg_catalog.pg_type AS e ON e.oid ${is} t.typelem
  WHERE ${isPlain('t', `(${isOwn('t.typelem')} OR ${isPlain('e', isOwn('e.typelem'))})`)}`;

/**
 * @param types of a Parse: a count of two bytes, then four bytes each.
 * @returns the numbers of those that somebody made.
 */
export function usersTypes(types: Buffer): readonly number[] {
  const given = Array.from({ length: types.readUInt16BE(0) }, (_, at) => types.readUInt32BE(2 + 4 * at));
  return [...new Set(given)].filter(oid => oid >= firstOfUsers);
}

export function withoutTypes(types: Buffer, left: readonly number[]): Buffer {
  const given = Buffer.from(types);
  // A program may name 65,535 of them.
  const out = new Set(left);
  for (let at = 2; at < given.length; at += 4) if (out.has(given.readUInt32BE(at))) given.writeUInt32BE(0, at);
  return given;
}
