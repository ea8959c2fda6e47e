/**
 * Reads a password or passphrase from stdin: piped, or typed by a person without echo. It is never
 * an argument.
 */

import { misuse } from './cli-error.ts';
import { readHiddenLine } from './read-hidden-line.ts';
import type { Terminal } from './terminal.ts';

const maxPasswordBytes = 65_536;

/**
 * All of stdin, without one line break at its end.
 * @param prompt shown on a terminal.
 * @throws CliError
 */
export async function secretFromStdin(terminal: Terminal, option: string, prompt: string): Promise<string> {
  const text = terminal.stdin.isTTY
    ? await typedHere(terminal, prompt)
    : (await wholeOf(terminal.stdin, option)).replace(/\r?\n$/, '');
  if (text === '') throw misuse(`${option} got nothing to read; pipe it in.`);
  return text;
}

async function wholeOf(stdin: NodeJS.ReadStream, option: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxPasswordBytes) throw misuse(`${option} got more than 64 KiB, which is no password.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw misuse(`${option} got bytes that are not UTF-8 text.`);
  }
}

async function typedHere({ stdin, stderr }: Terminal, prompt: string): Promise<string> {
  const typed = await readHiddenLine(stdin, text => stderr.write(text), prompt);
  if (typed === null) throw misuse('Stopped; nothing was saved.');
  return typed;
}
