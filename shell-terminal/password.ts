/** Reads a password from stdin: what is piped, or what a person types unseen. It never stands in an argument. */

import { misuse } from './ending.ts';
import type { Terminal } from './terminal.ts';
import { typedUnseen } from './typed-unseen.ts';

const maxPasswordBytes = 65_536;

/** The whole of stdin minus one line break at its end. @throws Ending */
export async function passwordFromStdin(terminal: Terminal): Promise<string> {
  const text = terminal.stdin.isTTY ? await typedHere(terminal) : (await wholeOf(terminal.stdin)).replace(/\r?\n$/, '');
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

async function typedHere({ stdin, stderr }: Terminal): Promise<string> {
  const typed = await typedUnseen(stdin, text => stderr.write(text), 'Password: ');
  if (typed === null) throw misuse('Stopped; nothing was saved.');
  return typed;
}
