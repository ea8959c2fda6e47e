/**
 * Makes what others wrote fit to be shown (SPEC §12): nothing in it can move the cursor, reorder the line or hide. In shells,
 * activity and messages alike.
 */

/** Control, format (bidirectional, zero-width), private and unassigned characters, line and paragraph separators. */
const unshowable = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Blanks that look like another blank or like nothing, and combining marks piled on nothing. */
const invisibleBlank = /\u115f|\u1160|\u3164|\uffa0|\u00ad|\u034f|\u17b4|\u17b5|\u2800/gu;
const longestName = 64;

/** Each such character as `\u{…}`; line feeds and tabs stay where `lines` is wanted. */
export function shownText(text: string, lines: 'one line' | 'lines' = 'one line'): string {
  const escaped = (character: string): string => {
    if (lines === 'lines' && (character === '\n' || character === '\t')) return character;
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  };
  // A backslash in front of u{ would let a text imitate the escape of another character.
  return text.replaceAll('\\u{', '\\u{5c}u{').replace(unshowable, escaped).replace(invisibleBlank, escaped);
}

/** A name on one line of at most 64 characters. */
export function shownName(name: string): string {
  const characters = [...shownText(name)];
  return characters.length > longestName ? `${characters.slice(0, longestName - 1).join('')}…` : characters.join('');
}
