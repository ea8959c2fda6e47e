/**
 * Makes what others wrote fit to be shown (spec §12): nothing in it can move the cursor, reorder
 * the line or hide. In shells, activity and messages alike.
 */

const longestName = 64;

/** Each such character as `\u{…}`; line feeds and tabs stay where `lines` is wanted. */
export function shownText(text: string, lines: 'one line' | 'lines' = 'one line'): string {
  const escaped = (character: string): string => {
    if (lines === 'lines' && (character === '\n' || character === '\t')) return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  };
  // A backslash in front of u{ would let a text imitate the escape of another character.
  return text.replaceAll('\\u{', '\\u{5c}u{').replace(unshowable(), escaped);
}

/**
 * Control, format (bidirectional, zero-width, tags), private and unassigned characters, line and
 * paragraph separators. Every blank but the space, such as U+00A0: it looks like a space and is
 * none to a database. What draws nothing by itself: fillers, joiners and every variation selector,
 * the one of emoji (U+FE0F) too: with it hidden two texts look like one, and bits can be hidden in
 * a run of them. And the braille blank, which is a symbol and draws nothing. In a function, as the
 * bridge's start would be half a millisecond later for reading it.
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

/** The first of them by name. */
export function shownTables(tables: readonly string[]): string {
  if (tables.length === 0) return 'none named';
  const more = tables.length > mostTables ? ` and ${tables.length - mostTables} more` : '';
  return tables.slice(0, mostTables).map(shownName).join(', ') + more;
}
