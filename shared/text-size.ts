/** The length of a text in words, for a person to compare with what is shown (spec §12). */

interface TextSize {
  /** Code points: people count these. */
  readonly characters: number;
  readonly lines: number;
}

export function textSize(text: string): TextSize {
  return { characters: [...text].length, lines: text.split('\n').length };
}

/** `27 characters, 1 line` */
export function textSizeWords({ characters, lines }: TextSize): string {
  return `${characters} character${characters === 1 ? '' : 's'}, ${lines} line${lines === 1 ? '' : 's'}`;
}

/** A text in a list: its beginning, and how long it is if that isn't all. */
export function listedText(text: string, mostCharacters: number, mostLines = Number.POSITIVE_INFINITY): string {
  // No more than these can be needed, however long the text is.
  const start = [...text.slice(0, 2 * mostCharacters)].slice(0, mostCharacters).join('');
  const lines = start.split('\n');
  const shown = lines.length > mostLines ? lines.slice(0, mostLines).join('\n') : start;
  return shown.length === text.length ? text : `${shown}… (${textSizeWords(textSize(text))})`;
}
