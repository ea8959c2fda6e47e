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
