/** Reads one line that a person types on a terminal, in raw mode, so nothing of it is shown. */

import type { ReadStream } from 'node:tty';

/** Ends at Enter; null after Ctrl-C, or if the terminal is gone. */
export function readHiddenLine(
  input: ReadStream,
  show: (text: string) => void,
  prompt: string,
): Promise<string | null> {
  // Before the prompt: if the person answers at once, nothing must show.
  input.setRawMode(true);
  input.setEncoding('utf8');
  input.resume();
  show(prompt);
  return new Promise(resolve => {
    let typed = '';
    const end = (result: string | null): void => {
      input.off('data', take);
      input.off('error', gone);
      input.off('end', gone);
      input.setRawMode(false);
      input.pause();
      show('\n');
      resolve(result);
    };
    const gone = (): void => end(null);
    const take = (text: string): void => {
      for (const character of text) {
        if (character === '\r' || character === '\n' || character === '\u0004' || character === '\u0003') {
          end(character === '\u0003' ? null : typed);
          return;
        }
        if (character === '\u007f' || character === '\b') typed = [...typed].slice(0, -1).join('');
        else if (character === '\u0015') typed = '';
        else typed += character;
      }
    };
    input.on('data', take);
    input.on('error', gone);
    input.on('end', gone);
  });
}
