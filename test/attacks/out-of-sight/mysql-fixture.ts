/** Statements as the server's own client takes them. */

/** Bodies with semicolons need another delimiter in the client. */
export function fixtureOf(fixture: string): string {
  const statements = fixture
    .trim()
    .split(/;\n/)
    .flatMap(line => (/\bbegin\b/.test(line) ? [line] : line.split(/; (?=create|insert|drop|use)/)))
    .map(statement => statement.replace(/;$/, ''));
  return `delimiter ;;\n${statements.join(';;\n')};;\ndelimiter ;`;
}
