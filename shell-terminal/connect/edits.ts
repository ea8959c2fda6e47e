/** Changes a text at given places; every other byte stays the same. Knows no format. */

export interface Edit {
  readonly offset: number;
  /** Length of the text that is removed there. */
  readonly length: number;
  readonly content: string;
}

/** Edits at the same offset keep their order. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = '';
  let read = 0;
  for (const { offset, length, content } of [...edits].sort((one, other) => one.offset - other.offset)) {
    result += text.slice(read, offset) + content;
    read = offset + length;
  }
  return result + text.slice(read);
}

/** The file's line ending, taken from its first line. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** After the next line feed, or at the end of the text. */
export function nextLineStart(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

/** The indentation of the line. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}

/** `line 3, column 5`, as editors count. */
export function placeIn(text: string, offset: number): string {
  const line = text.slice(0, offset).split('\n').length;
  return `line ${line}, column ${offset - lineStart(text, offset) + 1}`;
}
