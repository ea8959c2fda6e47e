/**
 * Lays out rows in aligned columns for people. If the terminal is too narrow, one column is broken
 * between words; if that isn't enough, each row becomes a block of lines. Nothing is cut.
 */

import { shownText } from '../shared/shown-text.ts';
import { styled, type Terminal, widthOf, wrapped } from './terminal.ts';

export type Cell = string | { readonly text: string; readonly style: Parameters<typeof styled>[1] };

const gap = '  ';
/** A narrower column is unreadable. */
export const narrowest = 20;

type Column<Item> = readonly [title: string, cellOf: (item: Item) => Cell];

/**
 * @param columns by title.
 * @param broken the title of the column to break first.
 */
export function table<Item>(
  terminal: Terminal,
  items: readonly Item[],
  columns: Readonly<Record<string, (item: Item) => Cell>>,
  broken: string,
): string[] {
  return tableOf(terminal, items, Object.entries(columns), broken, null);
}

/**
 * @param columns with titles by others: two may be the same, or look like numbers.
 * @param blockTitle the title of a row shown as a block; null for the row's first column.
 */
export function tableOf<Item>(
  terminal: Terminal,
  items: readonly Item[],
  columns: readonly Column<Item>[],
  broken: string | null,
  blockTitle: ((index: number) => string) | null,
): string[] {
  const titles = columns.map(([title]) => title);
  const rows = items.map(item =>
    columns.map(([, cellOf]) => {
      const cell = cellOf(item);
      const { text, style } = typeof cell === 'string' ? { text: cell, style: null } : cell;
      return { text: shownText(text), style };
    }),
  );
  const textsAt = (index: number): string[] => [titles[index] ?? '', ...rows.map(row => row[index]?.text ?? '')];
  const widths = titles.map((_, index) => widest(textsAt(index)));
  const available = widthOf(terminal.stdout);
  const over = widths.reduce((sum, width) => sum + width, gap.length * (widths.length - 1)) - (available ?? Infinity);
  if (over > 0) {
    const at = broken === null ? -1 : titles.indexOf(broken);
    const left = (widths[at] ?? 0) - over;
    if (left < narrowest || left < widest(textsAt(at).flatMap(text => text.split(' ')))) return blocks();
    widths[at] = left;
  }
  return [
    line(titles, text => styled(terminal, 'dim', text)),
    ...rows.flatMap(row => {
      const broken = row.map(({ text }, index) => wrapped(text, widths[index] ?? null, ''));
      const height = Math.max(...broken.map(({ length }) => length));
      return Array.from({ length: height }, (_, part) =>
        line(
          broken.map(parts => parts[part] ?? ''),
          (text, index) => styledAs(row[index]?.style ?? null, text),
        ),
      );
    }),
  ];

  function line(cells: readonly string[], paint: (text: string, index: number) => string): string {
    return cells
      .map((text, index) => {
        const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - textWidth(text)));
        return paint(text, index) + (index === cells.length - 1 ? '' : padding);
      })
      .join(gap)
      .trimEnd();
  }

  /** Others' values stay whole, so nobody copies a line break with one. */
  function blocks(): string[] {
    return rows.flatMap((row, number) => {
      const texts = row.map(({ text }, index) => [titles[index] ?? '', text] as const);
      if (blockTitle !== null) return [styled(terminal, 'dim', blockTitle(number)), ...beside(terminal, texts, null)];
      const [[, title] = ['', ''], ...rest] = texts;
      const had = rest.filter(([, text]) => text !== '').map(([name, text]) => [name.toLowerCase(), text] as const);
      return [styled(terminal, 'bold', title), ...beside(terminal, had, available)];
    });
  }

  function styledAs(style: Parameters<typeof styled>[1] | null, text: string): string {
    return style === null ? text : styled(terminal, style, text);
  }
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

/** Labels and values, one pair per line, broken between words; leaves out pairs without a value. */
export function pairs(
  terminal: Terminal,
  entries: readonly (readonly [label: string, value: string | null])[],
): string[] {
  const shown = entries.flatMap(([label, value]) => (value === null ? [] : [[label, shownText(value)] as const]));
  return beside(terminal, shown, widthOf(terminal.stdout));
}

/** @param columns to break values for; null to leave them whole. */
function beside(
  terminal: Terminal,
  shown: readonly (readonly [label: string, value: string])[],
  columns: number | null,
): string[] {
  const width = widest(shown.map(([label]) => label));
  const left = columns === null ? null : Math.max(narrowest, columns - width - 2 * gap.length);
  return shown.flatMap(([label, value]) => {
    const padded = label + ' '.repeat(width - textWidth(label));
    const [first = '', ...rest] = wrapped(value, left, '');
    const indented = rest.map(part => `${gap}${' '.repeat(width)}${gap}${part}`);
    return [`${gap}${styled(terminal, 'dim', padded)}${gap}${first}`, ...indented];
  });
}

/** Columns that a text takes: combining marks none, wide characters two. */
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

/** Cuts to so many columns and ends with dots, which every terminal can show. */
export function cut(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (textWidth(kept) + characterWidth(character) > width - 3) break;
    kept += character;
  }
  return `${kept}...`;
}
