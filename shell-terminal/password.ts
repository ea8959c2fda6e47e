/** Reads a password from stdin: what is piped, or what a person types unseen. It never stands in an argument. */

import { misuse } from './ending.ts';
import type { Terminal } from './terminal.ts';

const maxPasswordBytes = 65_536;

/** The whole of stdin minus one line break at its end. @throws Ending */
export async function passwordFromStdin(terminal: Terminal): Promise<string> {
  const text = terminal.stdin.isTTY
    ? await typedUnseen(terminal)
    : (await wholeOf(terminal.stdin)).replace(/\r?\n$/, '');
  if (text === '') throw misuse('--password-stdin got nothing to read; pipe the password in.');
  return text;
}

async function wholeOf(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxPasswordBytes) throw misuse('--password-stdin got more than 64 KiB, which is no password.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw misuse('--password-stdin got bytes that are not UTF-8 text.');
  }
}

/** Raw mode, so that nothing is echoed; ends at Enter, is given up at Ctrl-C. */
function typedUnseen({ stdin, stderr }: Terminal): Promise<string> {
  stderr.write('Password: ');
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  stdin.resume();
  return new Promise((resolve, reject) => {
    let typed = '';
    const end = (finish: () => void): void => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
      finish();
    };
    const take = (text: string): void => {
      for (const character of text) {
        if (character === '\r' || character === '\n' || character === '\u0004') {
          end(() => resolve(typed));
          return;
        }
        if (character === '\u0003') {
          end(() => reject(misuse('Given up; nothing was saved.')));
          return;
        }
        if (character === '\u007f' || character === '\b') typed = [...typed].slice(0, -1).join('');
        else if (character === '\u0015') typed = '';
        else typed += character;
      }
    };
    stdin.on('data', take);
  });
}
