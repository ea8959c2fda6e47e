/** Asks a person questions on a terminal, for setup. */

import { createInterface } from 'node:readline';
import { shownText } from '../../shared/shown-text.ts';
import { failed } from '../cli-error.ts';
import { readHiddenLine } from '../read-hidden-line.ts';
import { textWidth } from '../table.ts';
import { remark, styled, type Terminal, widthOf, wrapped } from '../terminal.ts';

/** Columns for the answer on the prompt's last line. */
const roomToType = 4;

const everywhere = 'Ctrl-C stops; what was saved so far stays.';

/**
 * One line, trimmed. `?` alone shows the help and asks again.
 * @param help a sentence or more for who doesn't know what to type.
 * @throws CliError on Ctrl-C or Ctrl-D.
 */
export async function typedLine(terminal: Terminal, whole: string, help: string): Promise<string> {
  for (;;) {
    const typed = await lineTyped(terminal, whole);
    if (typed !== '?') return typed;
    remark(terminal, `${help} ${everywhere}`);
  }
}

async function lineTyped({ stdin, stderr }: Terminal, whole: string): Promise<string> {
  const width = widthOf(stderr);
  const above = wrapped(whole.trimEnd(), width === null ? null : width - roomToType, '');
  const prompt = `${above.pop() ?? ''} `;
  for (const line of above) stderr.write(`${line}\n`);
  const lines = createInterface({ input: stdin, output: stderr, terminal: true });
  const typed = await new Promise<string | null>(resolve => {
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => resolve(null));
    lines.question(prompt, resolve);
  });
  lines.close();
  if (typed === null) {
    stderr.write('\n');
    throw givenUp();
  }
  return typed.trim();
}

/** Typed text isn't shown. @throws CliError */
export async function typedSecret({ stdin, stderr }: Terminal, prompt: string): Promise<string> {
  const typed = await readHiddenLine(stdin, text => stderr.write(text), prompt);
  if (typed === null) throw givenUp();
  return typed;
}

/**
 * @param usual the meaning of Enter.
 * @param help what a yes and a no do.
 */
export async function typedYes(terminal: Terminal, question: string, usual: boolean, help: string): Promise<boolean> {
  const keys = `y means yes, n no, Enter ${usual ? 'yes' : 'no'}.`;
  for (;;) {
    const typed = (
      await typedLine(terminal, `${question} ${usual ? '[Y/n]' : '[y/N]'} `, `${help} ${keys}`)
    ).toLowerCase();
    if (typed === '') return usual;
    if (typed === 'y' || typed === 'yes') return true;
    if (typed === 'n' || typed === 'no') return false;
  }
}

/** A list to choose from by number. Details are below each item, complete at any width. */
export function numbered(
  terminal: Terminal,
  items: readonly { readonly name: string; readonly place: string; readonly more: string | null }[],
): string[] {
  const digits = String(items.length).length;
  const longest = Math.max(...items.map(({ name }) => textWidth(shownText(name))));
  const width = widthOf(terminal.stdout);
  const indent = ' '.repeat(digits + 3);
  const indented = (text: string): string[] =>
    wrapped(shownText(text), width === null ? null : width - indent.length, '').map(line => indent + line);
  return items.flatMap(({ name, place, more }, at) => {
    const number = styled(terminal, 'bold', `${at + 1}`.padStart(digits + 1));
    const called = shownText(name) + ' '.repeat(longest - textWidth(shownText(name)));
    const line = `${number}  ${called}  ${shownText(place)}`;
    const fits = width === null || digits + 5 + longest + textWidth(shownText(place)) <= width;
    const first = fits ? [line] : [`${number}  ${shownText(name)}`, ...indented(place)];
    return [...first, ...(more === null ? [] : indented(more))];
  });
}

const numbersHelp = 'Type the numbers before what you choose: 2, or 1,3, or 1-3, or all. Enter chooses nothing.';

/**
 * Asks until the typed numbers are on the list, and returns those items; none after Enter.
 * @throws CliError
 */
export async function chosenFrom<Item>(terminal: Terminal, question: string, items: readonly Item[]): Promise<Item[]> {
  for (;;) {
    const chosen = chosenOf(await typedLine(terminal, question, numbersHelp), items.length);
    if (chosen !== null) return chosen.flatMap(at => items[at] ?? []);
  }
}

/**
 * Reads `1,3`, `1 3`, `1-3`, `all`, or nothing, as positions in a list of `count`. Null for any
 * other text.
 */
export function chosenOf(typed: string, count: number): readonly number[] | null {
  const all = Array.from({ length: count }, (_, at) => at);
  if (/^a(ll)?$/i.test(typed)) return all;
  const chosen: number[] = [];
  for (const word of typed.split(/[\s,]+/).filter(part => part !== '')) {
    const [, first = '0', last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(word) ?? [];
    const range = all.slice(Math.max(Number(first) - 1, 0), Number(last));
    if (range.length !== Number(last) - Number(first) + 1) return null;
    chosen.push(...range);
  }
  return [...new Set(chosen)];
}

const givenUp = () => failed('Stopped. What you saved so far stays.');
