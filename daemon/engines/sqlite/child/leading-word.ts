/**
 * The first words of a statement, as far as the read session must know them before SQLite may see the text: most
 * setter PRAGMAs take effect while they are prepared, EXPLAIN in front or not. Skips exactly what SQLite skips, so a
 * disagreement ends in a refusal. Judges no statement beyond that.
 */

export interface Pragma {
  /** Lower case, without quotes and schema. */
  readonly name: string;
  readonly hasArgument: boolean;
}

export interface Lead {
  /** Lower case; '' where the statement starts with no word. */
  readonly word: string;
  /** Where the first word stands, EXPLAIN included. */
  readonly start: number;
  readonly explained: boolean;
  /** Null where the statement is none, or one that could not be read (see `word`). */
  readonly pragma: Pragma | null;
}

/** SQLite's white space (no vertical tab, no NBSP), a byte order mark, comments, and semicolons before a statement. */
const skipped = /(?:[ \t\n\f\r;\uFEFF]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*/y;
const bareName = /[A-Za-z_\u0080-\uFFFF][A-Za-z0-9_$\u0080-\uFFFF]*/y;
const quotedName = /"((?:[^"]|"")*)"|'((?:[^']|'')*)'|`((?:[^`]|``)*)`|\[([^\]]*)\]/y;

/** Whether SQLite would find nothing to run in it. */
export function isBlank(sql: string): boolean {
  return readerOf(sql).start() === sql.length;
}

export function leadOf(sql: string): Lead {
  const reader = readerOf(sql);
  const start = reader.start();
  let word = reader.word();
  let explained = false;
  if (word === 'explain') {
    explained = true;
    word = reader.word();
    if (word === 'query') {
      reader.word();
      word = reader.word();
    }
  }
  return { word, start, explained, pragma: word === 'pragma' ? pragmaOf(reader) : null };
}

function pragmaOf(reader: ReturnType<typeof readerOf>): Pragma | null {
  let name = reader.name();
  if (reader.take('.')) name = reader.name();
  if (name === null) return null;
  return { name: name.toLowerCase(), hasArgument: !reader.atEnd() };
}

function readerOf(sql: string) {
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(sql);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const skip = () => match(skipped);
  return {
    start(): number {
      skip();
      return at;
    },
    word(): string {
      skip();
      return (match(bareName)?.[0] ?? '').toLowerCase();
    },
    name(): string | null {
      skip();
      const bare = match(bareName);
      if (bare) return bare[0];
      const quoted = match(quotedName);
      return quoted ? (quoted.slice(1).find(part => part !== undefined) ?? null) : null;
    },
    take(character: string): boolean {
      skip();
      if (sql[at] !== character) return false;
      at += 1;
      return true;
    },
    atEnd(): boolean {
      skip();
      return at >= sql.length;
    },
  };
}
