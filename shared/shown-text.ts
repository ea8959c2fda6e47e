/**
 * Makes others' text safe to show (spec §12): nothing in it can move the cursor, reorder the line
 * or hide. The same for shells, activity and messages.
 */

const longestName = 64;

/** Writes each such character as `\u{…}`; with `lines`, keeps line feeds and tabs. */
export function shownText(text: string, lines: 'one line' | 'lines' = 'one line'): string {
  const escaped = (character: string): string => {
    if (lines === 'lines' && (character === '\n' || character === '\t')) return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  };
  // A backslash before u{ would let a text imitate an escaped character.
  return text.replaceAll('\\u{', '\\u{5c}u{').replace(unshowable(), escaped);
}

/**
 * Control, format (bidirectional, zero-width, tags), private and unassigned characters, line and
 * paragraph separators. Every blank except the space, such as U+00A0: it looks like a space, but a
 * database doesn't take it for one. Characters that draw nothing: fillers, joiners and all
 * variation selectors, also emoji's (U+FE0F). If those were hidden, two texts could look the same,
 * and a run of them could carry hidden bits. Also the braille blank, a symbol that draws nothing.
 * In a function, because reading the pattern at load would cost the bridge's start half a
 * millisecond.
 */
function unshowable(): RegExp {
  return /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
}

/** A name on one line of at most 64 characters. */
export function shownName(name: string): string {
  const characters = [...shownText(name)];
  return characters.length > longestName ? `${characters.slice(0, longestName - 1).join('')}…` : characters.join('');
}

const mostTables = 20;

/** The first few, by name. */
export function shownTables(tables: readonly string[]): string {
  if (tables.length === 0) return 'none named';
  const more = tables.length > mostTables ? ` and ${tables.length - mostTables} more` : '';
  return tables.slice(0, mostTables).map(shownName).join(', ') + more;
}
