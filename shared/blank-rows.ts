/** Keeps blank rows of a statement from pushing the rest out of sight (spec §12). */

/**
 * @param rows each of them a mark of one character, and behind a space its text, escaped.
 * @returns two or more blank ones as one row that counts them, with a mark of its own: a statement with the same words has another.
 */
export function blankRowsCounted(rows: readonly string[]): string[] {
  const shown: string[] = [];
  let blanks: string[] = [];
  const endBlanks = (): void => {
    if (blanks.length > 1) shown.push(`~ … ${blanks.length} blank lines`);
    else shown.push(...blanks);
    blanks = [];
  };
  for (const row of rows) {
    if (row.trimEnd().length === 1) blanks.push(row);
    else {
      endBlanks();
      shown.push(row);
    }
  }
  endBlanks();
  return shown;
}
