/**
 * Shortens long cells of a sample (spec §9): three rows show what a column is like. Of JSON the
 * first element of each list stays, so every key that a query could use is there.
 */

import { parsedJson } from '../../../../shared/json.ts';
import { cellsOf, cellTexts, type RowText } from '../../../engines/row-text.ts';
import { beginning } from '../../../engines/shorten.ts';

const longestCell = 300;
const longestText = 40;

export function sampleRow(row: RowText): RowText {
  const cells = cellsOf(row);
  const cuts = [...row.cuts];
  const texts = cellTexts(row).map((text, column) => {
    const cell = cells[column];
    if (typeof cell !== 'string' || cell.length <= longestCell) return text;
    if (!cuts.some(cut => cut.column === column)) cuts.push({ column, fullBytes: Buffer.byteLength(cell) });
    return JSON.stringify(beginning(isJson(cell) ? shortJson(cell) : cell, longestCell));
  });
  return { json: `[${texts.join(',')}]`, cuts };
}

function isJson(cell: string): boolean {
  const read = parsedJson(cell);
  return typeof read === 'object' && read !== null;
}

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

interface Open {
  readonly isList: boolean;
  /** Elements or members begun so far. */
  count: number;
}

/** Token by token, since a number may be more than a double holds. */
function shortJson(text: string): string {
  const open: Open[] = [];
  let shown = '';
  /** Depth of the list whose further elements are left out; 0 if everything is shown. */
  let hidden = 0;
  for (const [token] of text.matchAll(tokens)) {
    const inner = open.at(-1);
    if (token === ']' || token === '}') {
      if (hidden === open.length && inner?.isList === true) {
        shown += `,…${inner.count - 1} more`;
        hidden = 0;
      }
      open.pop();
    } else if (token === ',' && inner !== undefined) {
      inner.count += 1;
      if (inner.isList && hidden === 0) hidden = open.length;
    }
    if (hidden === 0) shown += shortened(token);
    if (token === '[' || token === '{') open.push({ isList: token === '[', count: 1 });
  }
  return shown;
}

function shortened(token: string): string {
  return token.length > longestText + 2 && token.startsWith('"')
    ? `${beginning(token.slice(0, -1), longestText)}"`
    : token;
}
