/**
 * What a statement changes, as rows above it (spec §12). None begins like a row of the statement.
 */

import type { AskedStatement } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { linesOfWords } from './fit.ts';

const markColumns = 2;

/**
 * `-` before each table or object, `!` before what couldn't be counted; if there is room, an empty
 * row ends them. Empty if nothing is known.
 */
export function takesRows(statement: AskedStatement, columns: number, isRoomy: boolean): string[] {
  const { lines = [], steps = [], note = null } = statement.takes ?? {};
  const rows = [
    ...[...lines, ...steps].flatMap(line => marked('-', line, columns)),
    ...(note === null ? [] : marked('!', note, columns)),
  ];
  return rows.length === 0 || !isRoomy ? rows : [...rows, ''];
}

function marked(mark: string, text: string, columns: number): string[] {
  return linesOfWords(shownText(text), columns - markColumns).map(
    (line, index) => `${index === 0 ? mark : ' '} ${line}`,
  );
}
