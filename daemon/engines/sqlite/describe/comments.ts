/** What its author wrote beside the SQL of a definition: the only comments that SQLite keeps. */

import { isComment, type Token, tokensOf, unquoted } from './definition-tokens.ts';

export function commentsIn(definition: string): readonly string[] {
  return tokensOf(definition).filter(isComment).map(written);
}

interface Comments {
  readonly table: string | null;
  /** By their names in lower case. */
  readonly columns: ReadonlyMap<string, string>;
}

/**
 * Whose each comment of a table is: on the line of a column that column's, on a line of its own the
 * next one's, and the table's where it stands before the list or right behind its parenthesis.
 */
export function commentsOf(definition: string): Comments {
  const ofTable: string[] = [];
  const columns = new Map<string, string>();
  /** Those that wait for the name of the column that they stand above. */
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
    // A comma ends a column, and what follows on its line is still about it.
    if ((token.text === '(' && depth === 1 && column === null) || (token.text === ',' && depth === 1)) isNext = true;
    before = token;
  }
  return { table: ofTable.length === 0 ? null : ofTable.join('; '), columns };
}

function written({ text }: Token): string {
  return (text.startsWith('--') ? text.slice(2) : text.replace(/^\/\*|\*\/$/g, '')).trim();
}
