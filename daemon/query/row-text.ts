/**
 * Rows between an engine and an answer: each is the JSON text that stands in the answer, made once where the engine's bytes are
 * read. A row of four cells costs a third of what four values and three printings of them cost. The few who need values parse it.
 */

/** Spec §8: strings for everything a JSON number could round, `\x…` for binary. */
export type Cell = string | number | boolean | null;

/** A cell longer than `limits.cellBytes`, of which the row holds the start. */
export interface CutCell {
  readonly column: number;
  /** Length of the whole in UTF-8 bytes (binary: of its bytes); null where the engine was stopped before it said how long the cell is. */
  readonly fullBytes: number | null;
}

export interface RowText {
  /** An array of cells, as `JSON.stringify` prints it. */
  readonly json: string;
  readonly cuts: readonly CutCell[];
}

export const noCuts: readonly CutCell[] = [];

export function cellsOf({ json }: Pick<RowText, 'json'>): Cell[] {
  return JSON.parse(json);
}

/** Of bytes that were made one character each. */
export const beyondAscii = /[\x80-\xff]/;

/** The JSON of such a number is what the engine printed. */
export const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/;

/** What JSON escapes, and what may be more than one byte. */
const notPlain = /[^ !#-[\]-~]/;

/** As `JSON.stringify` prints it. The look that most texts need no escapes is cheaper than the printing. */
export function jsonOfText(text: string): string {
  return notPlain.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** The rows of one answer, in order. Prints itself wherever it is printed. */
export class JsonRows {
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  get length(): number {
    return this.#texts.length;
  }

  get json(): string {
    return `[${this.#texts.join(',')}]`;
  }

  /** The JSON of one row; '' past the last. */
  at(index: number): string {
    return this.#texts[index] ?? '';
  }

  slice(from: number, to: number): JsonRows {
    return from === 0 && to >= this.#texts.length ? this : new JsonRows(this.#texts.slice(from, to));
  }

  cells(): Cell[][] {
    return this.#texts.map(json => cellsOf({ json }));
  }

  toJSON(): readonly (readonly Cell[])[] {
    return this.cells();
  }
}

/** As `JSON.stringify` prints it, but for rows, which are text already. */
export function jsonOfContent(content: Readonly<Record<string, unknown>>): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const text = value instanceof JsonRows ? value.json : JSON.stringify(value);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}
