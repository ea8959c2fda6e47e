/**
 * What a statement takes, as rows above it (spec §12). None begins as a row of the statement does.
 */

import type { ApprovalView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { linesOfWords } from './fit.ts';

const markColumns = 2;

/**
 * `-` before each table or object, `!` before what could not be counted; where there is room an
 * empty row ends them. None where nothing is known.
 */
export function takesRows(
  statement: NonNullable<ApprovalView['statement']>,
  columns: number,
  isRoomy: boolean,
): string[] {
  const { lines = [], note = null } = statement.takes ?? {};
  const rows = [
    ...lines.flatMap(line => marked('-', line, columns)),
    ...(note === null ? [] : marked('!', note, columns)),
  ];
  return rows.length === 0 || !isRoomy ? rows : [...rows, ''];
}

function marked(mark: string, text: string, columns: number): string[] {
  return linesOfWords(shownText(text), columns - markColumns).map(
    (line, index) => `${index === 0 ? mark : ' '} ${line}`,
  );
}
