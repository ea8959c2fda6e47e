/** Rows as the text of an exported file: CSV, one JSON array, or a JSON object per line. */

import { csvLine } from '../../../../shared/csv.ts';
import type { Column } from '../../../engines/engine.ts';
import { cellTexts, printedCells } from '../../../engines/row-text.ts';

export const exportFormats = ['csv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportLines {
  readonly head: string;
  /** @param index of the row. @param json an array of cells. */
  line(json: string, index: number): string;
  readonly foot: string;
}

export function exportLines(format: ExportFormat, columns: readonly Column[]): ExportLines {
  const names = columns.map(({ name }) => name);
  if (format === 'csv') return { head: csvLine(names), line: json => csvLine(printedCells({ json })), foot: '' };
  const keys = distinct(names).map(name => JSON.stringify(name));
  const object = (json: string): string =>
    `{${cellTexts({ json })
      .map((text, index) => `${keys[index]}:${text}`)
      .join(',')}}`;
  return format === 'ndjson'
    ? { head: '', line: json => `${object(json)}\n`, foot: '' }
    : { head: '[', line: (json, index) => `${index === 0 ? '\n' : ',\n'}${object(json)}`, foot: '\n]\n' };
}

/**
 * A second column with the same name would replace the first; a made-up name never equals one in
 * the statement.
 */
function distinct(names: readonly string[]): string[] {
  const taken = new Set(names);
  const met = new Set<string>();
  return names.map(name => {
    if (!met.has(name)) {
      met.add(name);
      return name;
    }
    let number = 2;
    while (taken.has(`${name}_${number}`)) number += 1;
    const free = `${name}_${number}`;
    taken.add(free);
    return free;
  });
}

/** True if spreadsheets would run the text as a formula. A plain number is none. */
export function isFormula(text: string): boolean {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text);
}
