/** Keeps blanks of a statement from pushing the rest out of sight (spec §12). */

/**
 * @param rows each of them a mark of one character, and behind a space its text, escaped.
 * @returns two or more blank ones as one row that counts them, with a mark of its own: a statement
 * with the same words has another.
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

/** As wide as nobody indents; a dialog of a client's may not break a line. */
const longestRun = 40;
const tabColumns = 8;

/**
 * @returns a line as rows with marks of their own: `>` where it begins, `~` in the place of a long
 * run of blanks, `:` where it goes on.
 */
export function longBlanksCounted(line: string): string[] {
  // However wide, it is one blank line.
  if (line.trim() === '') return ['> '];
  const rows: string[] = [];
  let from = 0;
  for (const { 0: run, index } of line.matchAll(/[ \t]+/g)) {
    const tabs = run.split('\t').length - 1;
    if (run.length + tabs * (tabColumns - 1) < longestRun) continue;
    rows.push(line.slice(from, index), `~ … ${run.length} blanks`);
    from = index + run.length;
  }
  rows.push(line.slice(from));
  // Every other row is one that counts.
  return rows.map((row, index) => (index % 2 === 1 ? row : `${index === 0 ? '>' : ':'} ${row}`));
}
