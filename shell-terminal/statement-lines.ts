/**
 * Cuts a stream of text into lines. Each gets its own answer, also empty ones and those that are
 * too long.
 */

/** JSON needs at most six bytes for one byte of a statement. */
const maxLineCharacters = 1_000_000;

export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too_long' };

/** @returns the complete lines of each chunk. Text after the last line feed is a line too. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  let isTooLong = false;
  const take = (part: string): void => {
    isTooLong ||= rest.length + part.length > maxLineCharacters;
    rest = isTooLong ? '' : rest + part;
  };
  const finish = (): Line => {
    const line: Line = isTooLong ? { kind: 'too_long' } : { kind: 'line', text: rest };
    rest = '';
    isTooLong = false;
    return line;
  };
  for await (const chunk of stream) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    take(first);
    const lines = others.map(next => {
      const line = finish();
      take(next);
      return line;
    });
    if (lines.length > 0) yield lines;
  }
  take(decoder.decode());
  if (rest !== '' || isTooLong) yield [finish()];
}
