/**
 * A plan of several statements as one text for a person (spec §12). The client's claim stands
 * behind the statements, quoted. Only a statement's first line begins at the margin, with its
 * number, so nothing within one can pass for another or for the claim.
 */
export function planText(statements: readonly string[], reason: string): string {
  const numbered = statements.map((sql, at) => `${at + 1}. ${sql.replace(/\r\n|\r|\n/g, '$&   ')}`);
  return [...numbered, `The client says what for: ${JSON.stringify(reason)}`].join('\n\n');
}
