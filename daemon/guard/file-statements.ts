/**
 * Splits a file into its statements (spec §16): at each semicolon behind which what stands before
 * is one whole statement. Classifies nothing: each is classified by itself afterwards.
 */

import { blockEnds } from './mysql/stored-code.ts';
import { tokenize as tokenizeMysql } from './mysql/tokenizer.ts';
import { hasKeywords, type Token } from './mysql/tokens.ts';
import type { Parse } from './postgres/parser.ts';
import { isOperator, isWord, tokenize as tokenizeSqlite } from './sqlite/tokenizer.ts';

/** What a text is that ends before a semicolon, or with the file. */
type Part = 'whole' | 'blank' | 'open';

export type FileStatements =
  | { readonly kind: 'statements'; readonly statements: readonly string[] }
  /** From this line on (from 1) it is no whole statement. */
  | { readonly kind: 'unfinished'; readonly line: number };

function split(text: string, partOf: (text: string) => Part): FileStatements {
  const statements: string[] = [];
  let begun = '';
  let line = 1;
  const pieces = text.split(';');
  for (const [at, piece] of pieces.entries()) {
    begun += piece;
    const isLast = at === pieces.length - 1;
    const part = partOf(begun);
    // A comment may hold the semicolon: it stays with the statement that follows.
    if (part === 'open' || (part === 'blank' && !isLast)) {
      begun += isLast ? '' : ';';
      continue;
    }
    if (part === 'whole') statements.push(begun.trim());
    line += linesIn(begun);
    begun = '';
  }
  if (begun !== '') return { kind: 'unfinished', line: line + linesIn(/^\s*/.exec(begun)?.[0] ?? '') };
  return { kind: 'statements', statements };
}

const linesIn = (text: string): number => text.split('\n').length - 1;

export function splitPostgres(parse: Parse, text: string): FileStatements {
  return split(text, part => {
    const parsed = parse(part);
    if (parsed.kind !== 'statements') return 'open';
    return parsed.statements.length === 0 ? 'blank' : 'whole';
  });
}

export function splitSqlite(text: string): FileStatements {
  return split(text, part => {
    const tokens = tokenizeSqlite(part);
    if (tokens.length === 0) return 'blank';
    if (tokens.some(({ kind }) => kind === 'illegal')) return 'open';
    // A trigger ends with the END behind its last statement's semicolon.
    const start = tokens.slice(0, 4);
    const isTrigger = isWord(tokens[0], 'create') && start.some(token => isWord(token, 'trigger'));
    const ends = isWord(tokens.at(-1), 'end') && isOperator(tokens.at(-2), ';');
    return isTrigger && !ends ? 'open' : 'whole';
  });
}

/** A file is read as a server without a special sql_mode would read it. */
const usual = {
  ansiQuotes: false,
  backslash: 'escapes',
  server: { flavor: 'mysql', version: 80_400, digits: 5 },
} as const;

const storedCode = ['PROCEDURE', 'FUNCTION', 'TRIGGER', 'EVENT'];

export function splitMysql(text: string): FileStatements {
  return split(text, part => {
    const cut = tokenizeMysql(part, usual);
    if (cut.kind === 'failure') return 'open';
    if (cut.tokens.length === 0) return 'blank';
    return isStoredCode(cut.tokens) && !blockEnds(cut.tokens) ? 'open' : 'whole';
  });
}

function isStoredCode(tokens: readonly Token[]): boolean {
  return hasKeywords(tokens.slice(0, 1), 'CREATE') && tokens.slice(0, 12).some(({ key }) => storedCode.includes(key));
}
