/**
 * Finds in a table's definition what SQLite tells nowhere else: CHECKs, expressions of generated
 * columns, collations, ON CONFLICT and deferred keys. Their words are reserved, so outside quotes,
 * comments and inner parentheses they can be nothing else.
 */

import type { Check } from '../../engine.ts';
import { closingsOf, isComment, isWord, type Token, tokensOf, unquoted } from './definition-tokens.ts';

interface ColumnConstraints {
  readonly name: string;
  /** As it is written, without COLLATE. */
  collation?: string;
  /** The expression of a generated column. */
  expression?: string;
}

interface Rule {
  readonly kind: 'not null' | 'key' | 'foreign key';
  /** Names in lower case. */
  readonly columns: readonly string[];
  /** ON CONFLICT and its word, or that it is deferred; null for the usual. */
  state: string | null;
}

export interface Constraints {
  readonly checks: readonly Check[];
  /** By name in lower case. */
  readonly columns: ReadonlyMap<string, ColumnConstraints>;
  /** In the order of the definition. */
  readonly rules: readonly Rule[];
}

const tableConstraints = ['constraint', 'primary', 'unique', 'check', 'foreign'];

export function constraintsIn(definition: string): Constraints {
  const tokens = tokensOf(definition).filter(token => !isComment(token));
  const closings = closingsOf(tokens);
  const checks: Check[] = [];
  const columns = new Map<string, ColumnConstraints>();
  const rules: Rule[] = [];

  const inside = (open: Token | undefined): string => {
    const close = open && closings.get(open);
    return open === undefined || close === undefined ? '' : definition.slice(open.end, close.start).trim();
  };
  const rule = (kind: Rule['kind'], of: readonly string[]): void => {
    rules.push({ kind, columns: of, state: null });
  };

  let depth = 0;
  let isStart = false;
  let column: ColumnConstraints | null = null;
  /** The columns of a table's FOREIGN KEY, until its REFERENCES. */
  let referring: readonly string[] = [];
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    const isNext = (word: string, further = 1) => isWord(tokens[at + further], word);
    if (token.text === ')') depth -= 1;
    const own = column === null ? [] : [column.name.toLowerCase()];
    if (depth === 1) {
      const last = rules.at(-1);
      if (isStart) {
        column = tableConstraints.some(word => isWord(token, word)) ? null : { name: unquoted(token.text) };
        if (column !== null) columns.set(column.name.toLowerCase(), column);
      }
      if (isStart && column !== null) {
        // Its name is no word of SQL.
      } else if (isWord(token, 'collate') && column !== null) column.collation ??= unquoted(next?.text ?? '');
      else if (isWord(token, 'as') && column !== null && next?.text === '(') column.expression = inside(next);
      else if (isWord(token, 'not') && isNext('null')) rule('not null', own);
      else if (isWord(token, 'unique')) rule('key', next?.text === '(' ? namesFrom(tokens, at + 1) : own);
      else if (isWord(token, 'primary')) rule('key', tokens[at + 2]?.text === '(' ? namesFrom(tokens, at + 2) : own);
      else if (isWord(token, 'foreign')) referring = namesFrom(tokens, at + 2);
      else if (isWord(token, 'references')) rule('foreign key', column === null ? referring : own);
      else if (isWord(token, 'initially') && isNext('deferred') && isWord(tokens[at - 1], 'deferrable')) {
        if (last?.kind === 'foreign key' && !isWord(tokens[at - 2], 'not'))
          last.state = 'DEFERRABLE INITIALLY DEFERRED';
      } else if (isWord(token, 'on') && isNext('conflict')) {
        const word = (tokens[at + 2]?.text ?? '').toUpperCase();
        if (last !== undefined && last.kind !== 'foreign key' && word !== 'ABORT') last.state ??= `ON CONFLICT ${word}`;
      } else if (isWord(token, 'check') && next?.text === '(') {
        const name = isWord(tokens[at - 2], 'constraint') ? unquoted(tokens[at - 1]?.text ?? '') : null;
        checks.push({ name, expression: inside(next) });
      }
    }
    isStart = (token.text === '(' && depth === 0) || (token.text === ',' && depth === 1);
    if (token.text === '(') depth += 1;
  }
  return { checks, columns, rules };
}

/** The first word of each part of a list, in lower case. @param at its opening parenthesis. */
function namesFrom(tokens: readonly Token[], at: number): readonly string[] {
  const names: string[] = [];
  let depth = 0;
  for (let place = at; place < tokens.length; place++) {
    const text = tokens[place]?.text ?? '';
    const before = tokens[place - 1]?.text;
    if (text === ')') depth -= 1;
    if (depth === 0 && place > at) break;
    if (depth === 1 && (before === '(' || before === ',')) names.push(unquoted(text).toLowerCase());
    if (text === '(') depth += 1;
  }
  return names;
}
