/** Keeps a statement's blanks from pushing the rest out of sight (spec §12). */

/**
 * @param rows each has a mark of one character, a space, then its escaped text.
 * @returns two or more blank rows as one row that counts them. That row has a mark of its own, so
 *   no statement can imitate it.
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

/** Wider than anybody indents; a client's dialog may not wrap lines. */
const longestRun = 40;
const tabColumns = 8;

/**
 * @returns a line as rows with marks: `>` where it begins, `~` for a long run of blanks, `:` where
 *   it goes on.
 */
export function longBlanksCounted(line: string): string[] {
  // It is one blank line, however wide.
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
  // Every second row is a count.
  return rows.map((row, index) => (index % 2 === 1 ? row : `${index === 0 ? '>' : ':'} ${row}`));
}
