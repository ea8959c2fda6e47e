/** Names as text in questions to the catalog. */

/** In the catalog's own character set: another would make the server open every object. */
export function literal(text: string): string {
  return `_utf8mb3 x'${Buffer.from(text, 'utf8').toString('hex')}'`;
}

/** The condition for a table's rows in the catalog. */
export function place(schema: string, name: string): string {
  return `TABLE_SCHEMA = ${literal(schema)} AND TABLE_NAME = ${literal(name)}`;
}
