/** A line on the terminal that tells what the person waits for; it disappears with the answer. */

import { shownText } from '../shared/shown-text.ts';
import { cut } from './table.ts';
import { type Terminal, widthOf } from './terminal.ts';

/** Faster answers need no such line. */
const patienceMilliseconds = 1_000;

/** On stderr, and only on a terminal. */
export function waitingLine({ stderr }: Terminal): { show(text: string): void; clear(): void } {
  const width = widthOf(stderr);
  if (width === null) return { show() {}, clear() {} };
  const clear = '\r\u001b[K';
  return {
    show: text => void stderr.write(clear + cut(shownText(text), width - 1)),
    clear: () => void stderr.write(clear),
  };
}

/**
 * @param what the thing waited for: `Connecting to Shop`. Shown after a second, with the seconds.
 */
export async function showWaiting<Result>(
  terminal: Terminal,
  what: string | (() => string),
  work: Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const line = waitingLine(terminal);
  const told = setInterval(
    () =>
      line.show(`${typeof what === 'string' ? what : what()} … ${Math.round((performance.now() - began) / 1000)} s`),
    patienceMilliseconds,
  );
  try {
    return await work;
  } finally {
    clearInterval(told);
    if (performance.now() - began >= patienceMilliseconds) line.clear();
  }
}
