/**
 * Reads a password or passphrase from stdin: what is piped, or what a person types unseen. It never
 * stands in an argument.
 */

import { misuse } from './ending.ts';
import type { Terminal } from './terminal.ts';
import { typedUnseen } from './typed-unseen.ts';

const maxPasswordBytes = 65_536;

/**
 * The whole of stdin minus one line break at its end.
 * @param prompt on a terminal.
 * @throws Ending
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
  const typed = await typedUnseen(stdin, text => stderr.write(text), prompt);
  if (typed === null) throw misuse('Stopped; nothing was saved.');
  return typed;
}
