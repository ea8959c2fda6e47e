/** Lays out rows in aligned columns for people. Cuts the one column that may give way so that a line fits the terminal. */

import { shownText } from '../shared/shown-text.ts';
import { styled, type Terminal, widthOf } from './terminal.ts';

export type Cell = string | { readonly text: string; readonly style: Parameters<typeof styled>[1] };

const gap = '  ';
const narrowest = 8;

type Column<Item> = readonly [title: string, cellOf: (item: Item) => Cell];

/** @param columns by their titles. @param givesWay the title of the one that is shortened first where the terminal is narrow. */
export function table<Item>(
  terminal: Terminal,
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => Cell>>,
  givesWay: string,
): string[] {
  return tableOf(terminal, items, Object.entries(columns), givesWay);
}

/** @param columns whose titles others chose: two may be the same, or look like numbers. */
export function tableOf<Item>(
  terminal: Terminal,
  items: readonly Item[],
  columns: readonly Column<Item>[],
  givesWay: string | null,
): string[] {
  const titles = columns.map(([title]) => title);
  const rows = items.map(item => columns.map(([, cellOf]) => cellOf(item)));
  const texts = rows.map(row => row.map(cell => shownText(typeof cell === 'string' ? cell : cell.text)));
  const widths = titles.map((title, index) =>
    Math.max(textWidth(title), ...texts.map(row => textWidth(row[index] ?? ''))),
  );
  const yielding = givesWay === null ? -1 : titles.indexOf(givesWay);
  const available = widthOf(terminal.stdout);
  if (available !== null && yielding !== -1) {
    const whole = widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1));
    const kept = (widths[yielding] ?? 0) - Math.max(0, whole - available);
    widths[yielding] = Math.max(kept, Math.min(narrowest, widths[yielding] ?? 0));
  }
  const line = (cells: readonly string[], paint: (text: string, index: number) => string) =>
    cells
      .map((text, index) => {
        const shown = cut(text, widths[index] ?? 0);
        const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - textWidth(shown)));
        return paint(shown, index) + (index === cells.length - 1 ? '' : padding);
      })
      .join(gap)
      .trimEnd();
  return [
    line(titles, text => styled(terminal, 'dim', text)),
    ...texts.map((row, rowIndex) =>
      line(row, (text, index) => {
        const cell = rows[rowIndex]?.[index];
        return cell === undefined || typeof cell === 'string' ? text : styled(terminal, cell.style, text);
      }),
    ),
  ];
}

/** Labels and values, one pair a line; pairs without a value are left out. */
export function pairs(
  terminal: Terminal,
  entries: readonly (readonly [label: string, value: string | null])[],
): string[] {
  const shown = entries.filter(([, value]) => value !== null);
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `  ${styled(terminal, 'dim', label.padEnd(width))}  ${shownText(value ?? '')}`);
}

/** Columns a text takes: marks none, wide characters two. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (/\p{M}/u.test(character)) return 0;
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
    character,
  )
    ? 2
    : 1;
}

/** To so many columns, its end told by `…`. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (textWidth(kept) + characterWidth(character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
