/** What is refused of any statement before a parser sees it (spec §7). */

const maxStatementBytes = 100_000;

/** @returns a sentence, or null. */
export function refuseText(sql: string): string | null {
  // Parsers and servers disagree about what follows a NUL: `select 1\0; drop table t` is one SELECT
  // to some of them.
  if (sql.includes('\0')) return 'The statement has a NUL character; send it without.';
  if (Buffer.byteLength(sql) > maxStatementBytes) {
    return `The statement is longer than ${maxStatementBytes} bytes; send a shorter one.`;
  }
  return null;
}
