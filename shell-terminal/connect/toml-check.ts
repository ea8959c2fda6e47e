/**
 * Whether a TOML file is one for its client too (toml.io/en/v1.0.0): values that are none, and names that stand there twice. What newer
 * versions of TOML allow is let pass.
 */

import { keyAt, stringEnd, TomlError, type TomlStatement } from './toml-statements.ts';

/** @throws TomlError */
export function checkToml(text: string, statements: readonly TomlStatement[]): void {
  const names = new Names();
  for (const statement of statements) {
    if (statement.kind === 'assignment') checkWhole(text, statement.valueOffset, statement.end);
    if (!names.take(statement)) throw new TomlError(statement.offset, 'a name that stands there already');
  }
}

/** What each name stands for. A list of tables begins anew with each header. */
class Names {
  readonly #kinds = new Map<string, 'value' | 'table' | 'list' | 'passed'>();
  #table: readonly string[] = [];

  /** @returns false where the name stands for something else already. */
  take({ kind, path }: TomlStatement): boolean {
    const whole = kind === 'assignment' ? [...this.#table, ...path] : path;
    if (kind !== 'assignment') this.#table = path;
    for (let length = 1; length < whole.length; length += 1) {
      const passed = keyOf(whole.slice(0, length));
      if (this.#kinds.get(passed) === 'value') return false;
      if (!this.#kinds.has(passed)) this.#kinds.set(passed, 'passed');
    }
    const key = keyOf(whole);
    const former = this.#kinds.get(key);
    this.#kinds.set(key, kind === 'assignment' ? 'value' : kind);
    if (kind === 'list' && former === 'list') {
      for (const below of this.#kinds.keys()) if (below !== key && below.startsWith(key)) this.#kinds.delete(below);
      return true;
    }
    return former === undefined || (kind === 'table' && former === 'passed');
  }
}

const keyOf = (path: readonly string[]): string => path.map(name => `${name}\0`).join('');

function checkWhole(text: string, offset: number, end: number): void {
  if (afterValue(text, offset) !== end) throw new TomlError(offset, 'no value that TOML knows');
}

function afterValue(text: string, at: number): number {
  const first = text[at];
  if (first === '"' || first === "'") return afterString(text, at);
  if (first === '[') return afterMembers(text, at, ']', inside => afterValue(text, inside));
  if (first === '{')
    return afterMembers(text, at, '}', inside => {
      const { end } = keyAt(text, inside);
      if (text[end] !== '=') throw new TomlError(end, 'an equals sign expected');
      return afterValue(text, afterBlanks(text, end + 1));
    });
  const [word = ''] =
    /^\d{4}-\d\d-\d\d[ Tt][\d:.]+(?:[Zz]|[+-]\d\d:\d\d)?|^[^\s,\]}#]+/.exec(text.slice(at, at + 100)) ?? [];
  const plain = word.replace(/(\w)_(?=\w)/g, '$1');
  if (!scalars.some(scalar => scalar.test(plain))) throw new TomlError(at, 'no value that TOML knows');
  return at + word.length;
}

const scalars = [
  /^(?:true|false|[+-]?(?:inf|nan))$/,
  /^[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  /^0(?:x[\dA-Fa-f]+|o[0-7]+|b[01]+)$/,
  /^\d{4}-\d\d-\d\d(?:[ Tt]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?$/,
  /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/,
];

function afterString(text: string, at: number): number {
  const end = stringEnd(text, at);
  const escapes =
    text[at] === '"' ? text.slice(at, end).replace(/\\(?:[btnfre"\\\s]|x[\dA-Fa-f]{2}|[uU][\dA-Fa-f]{4})/g, '') : '';
  if (escapes.includes('\\')) throw new TomlError(at, 'a backslash before a letter that TOML does not know');
  return end;
}

function afterMembers(text: string, at: number, closing: string, afterMember: (at: number) => number): number {
  for (let inside = afterBlanks(text, at + 1); ; ) {
    if (text[inside] === closing) return inside + 1;
    inside = afterBlanks(text, afterMember(inside));
    if (text[inside] === ',') inside = afterBlanks(text, inside + 1);
    else if (text[inside] !== closing) throw new TomlError(inside, 'a comma expected');
  }
}

function afterBlanks(text: string, at: number): number {
  return at + (/^(?:[ \t\r\n]|#[^\n]*)*/.exec(text.slice(at))?.[0].length ?? 0);
}
