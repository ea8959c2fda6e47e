/**
 * Rows between an engine and an answer: each is the JSON text that stands in the answer, made once
 * where the engine's bytes are read. A row of four cells costs a third of what four values and
 * three printings of them cost. The few who need values parse it.
 */

/** Spec §8: strings for everything a JSON number could round, `\x…` for binary. */
export type Cell = string | number | boolean | null;

/** A cell longer than `limits.cellBytes`, of which the row holds the start. */
export interface CutCell {
  readonly column: number;
  /**
   * Length of the whole in UTF-8 bytes (binary: of its bytes); null where the engine was stopped
   * before it said how long the cell is.
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

/** As a person reads them outside JSON, numbers as the engine wrote them: `1e308`, `0.10`. */
export function printedCells(row: Pick<RowText, 'json'>): (string | null)[] {
  return cellTexts(row).map(text => (text.startsWith('"') ? JSON.parse(text) : text === 'null' ? null : text));
}

const plainInteger = /^(?:0|-?[1-9]\d{0,14})$/;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/;

/**
 * A number as the engine printed it: `1e308`, `0.10`. NaN, Infinity and `0000` are text, because
 * JSON has no such numbers, and so is -0, which JavaScript prints as 0.
 */
export function jsonOfNumber(digits: string): string {
  if (plainInteger.test(digits)) return digits;
  const value = jsonNumber.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(value) && !Object.is(value, -0) ? digits : `"${digits}"`;
}

/** What JSON escapes, and what may be more than one byte. */
const notPlain = /[^ !#-[\]-~]/;

/**
 * As `JSON.stringify` prints it; null where something in it has to be escaped or is not ASCII, as
 * most texts have nothing.
 */
export function jsonOfPlainText(text: string): string | null {
  return notPlain.test(text) ? null : `"${text}"`;
}

/**
 * As `JSON.stringify` prints it. The look that most texts need no escapes is cheaper than the
 * printing.
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

/** As `JSON.stringify` prints it, but for rows, which are text already. */
export function jsonOfContent(content: Readonly<Record<string, unknown>>): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const text = jsonOfMember(value);
    if (text !== undefined) members.push(`${jsonOfText(name)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

/** A preview and a sample hold rows further in. */
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
