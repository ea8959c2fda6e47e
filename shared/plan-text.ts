/**
 * A plan of several statements as one text for a person (spec §12). The client's claim stands
 * behind the statements, quoted, so nothing in it can pass for one of them.
 */
export function planText(statements: readonly string[], reason: string): string {
  const numbered = statements.map((sql, at) => `${at + 1}. ${sql}`);
  return [...numbered, `The client says what for: ${JSON.stringify(reason)}`].join('\n\n');
}
