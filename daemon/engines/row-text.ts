/**
 * Rows between an engine and an answer: each is the JSON text of the answer, made once where the
 * engine's bytes are read. A row of four cells costs a third of making four values and printing
 * them. Callers that need values parse it.
 */

/** Spec §8: strings for everything that a JSON number could round, `\x…` for binary. */
export type Cell = string | number | boolean | null;

/** A cell longer than `limits.cellBytes`; the row holds its start. */
export interface CutCell {
  readonly column: number;
  /**
   * The whole length in UTF-8 bytes (for binary, its bytes); null if the engine was stopped before
   * it told the length.
   */
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

/** The JSON of each cell. */
export function cellTexts({ json }: Pick<RowText, 'json'>): string[] {
  return json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[^[\],]+/g) ?? [];
}

/** Cells as people read them outside JSON, numbers as the engine wrote them: `1e308`, `0.10`. */
export function printedCells(row: Pick<RowText, 'json'>): (string | null)[] {
  return cellTexts(row).map(text => (text.startsWith('"') ? JSON.parse(text) : text === 'null' ? null : text));
}

const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/;

/**
 * @param digits a number as the engine printed it: `1e308`, `0.10`. NaN, Infinity and `0000` become
 *   text, because JSON has no such numbers, and so does -0, which JavaScript prints as 0.
 */
export function jsonOfNumber(digits: string): string {
  if (plainInteger.test(digits)) return digits;
  const value = jsonNumber.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(value) && !Object.is(value, -0) ? digits : `"${digits}"`;
}

/** Matches what JSON escapes, and anything that may take more than one byte. */
const notPlain = /[^ !#-[\]-~]/;

/**
 * The text as `JSON.stringify` prints it; null if something needs an escape or isn't ASCII. Most
 * texts need nothing.
 */
export function jsonOfPlainText(text: string): string | null {
  return notPlain.test(text) ? null : `"${text}"`;
}

/**
 * The text as `JSON.stringify` prints it. Most texts need no escapes, and finding that out is
 * cheaper than printing.
 */
export function jsonOfText(text: string): string {
  return jsonOfPlainText(text) ?? JSON.stringify(text);
}

/**
 * The rows of one answer in order, or other elements that are JSON already. Prints itself wherever
 * it is printed.
 */
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

  /** The first cells of each row. */
  withFirst(length: number): JsonRows {
    return new JsonRows(this.#texts.map(json => `[${cellTexts({ json }).slice(0, length).join(',')}]`));
  }

  cells(): Cell[][] {
    return this.#texts.map(json => cellsOf({ json }));
  }

  toJSON(): readonly (readonly Cell[])[] {
    return this.cells();
  }
}

/** As `JSON.stringify` prints it, except for rows, which are text already. */
export function jsonOfContent(content: Readonly<Record<string, unknown>>): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const text = jsonOfMember(value);
    if (text !== undefined) members.push(`${jsonOfText(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

/** A preview and a sample hold rows one level down. */
function jsonOfMember(value: unknown): string | undefined {
  if (value instanceof JsonRows) return value.json;
  if (!holdsRows(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(each => jsonOfMember(each) ?? 'null').join(',')}]`;
  return jsonOfContent({ ...value });
}

function holdsRows(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof JsonRows || Object.values(value).some(holdsRows);
}
