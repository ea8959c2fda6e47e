/** The author's comments in a definition's SQL, the only comments that SQLite keeps. */

import { isComment, type Token, tokensOf, unquoted } from './definition-tokens.ts';

export function commentsIn(definition: string): readonly string[] {
  return tokensOf(definition).filter(isComment).map(written);
}

interface Comments {
  readonly table: string | null;
  /** By column name in lower case. */
  readonly columns: ReadonlyMap<string, string>;
}

/**
 * Assigns each comment: on a column's line to that column, on its own line to the next column, and
 * before the list or right behind its parenthesis to the table.
 */
export function commentsOf(definition: string): Comments {
  const ofTable: string[] = [];
  const columns = new Map<string, string>();
  /** Comments above a column whose name hasn't come yet. */
  let above: string[] = [];
  let depth = 0;
  let column: string | null = null;
  let isNext = false;
  let before: Token | null = null;
  const add = (name: string, comment: string): void => {
    columns.set(name, [columns.get(name), comment].filter(text => text !== undefined).join('; '));
  };
  for (const token of tokensOf(definition)) {
    if (isComment(token)) {
      const isBeside = before !== null && !definition.slice(before.end, token.start).includes('\n');
      if (depth === 0 || (isBeside && before?.text === '(' && column === null)) ofTable.push(written(token));
      else if (isBeside && column !== null) add(column, written(token));
      else above.push(written(token));
      continue;
    }
    if (isNext && depth === 1) {
      column = unquoted(token.text).toLowerCase();
      for (const comment of above) add(column, comment);
      above = [];
      isNext = false;
    }
    if (token.text === '(') depth += 1;
    if (token.text === ')') depth -= 1;
    // A comma ends a column; the rest of its line still belongs to that column.
    if ((token.text === '(' && depth === 1 && column === null) || (token.text === ',' && depth === 1)) isNext = true;
    before = token;
  }
  return { table: ofTable.length === 0 ? null : ofTable.join('; '), columns };
}

function written({ text }: Token): string {
  return (text.startsWith('--') ? text.slice(2) : text.replace(/^\/\*|\*\/$/g, '')).trim();
}
