/**
 * Shows an answer that is longer than the screen in the person's pager, as psql does. Elsewhere it
 * prints it.
 */

import { spawn } from 'node:child_process';
import { print, type Terminal } from './terminal.ts';

/** Ends by itself if all fits (F), shows colours (R), wraps nothing (S), leaves the text (X). */
const lessOptions = 'FRSX';

/** `PAGER` decides; `cat`, or an empty one, means none. */
export async function printPaged(terminal: Terminal, lines: readonly string[]): Promise<void> {
  const { stdin, stdout, environment } = terminal;
  const { PAGER = 'less', TERM } = environment;
  const rows = stdout.rows || Number.POSITIVE_INFINITY;
  const isPaged = stdin.isTTY && stdout.isTTY && TERM !== 'dumb' && PAGER !== '' && PAGER !== 'cat';
  if (!isPaged || lines.length < rows) return print(terminal, ...lines);
  const hasShown = await shownBy(PAGER, lines);
  if (!hasShown) print(terminal, ...lines);
}

/** False if there is no such program. The variable is a command line, for the shell. */
function shownBy(pager: string, lines: readonly string[]): Promise<boolean> {
  return new Promise(resolve => {
    const env = { LESS: lessOptions, ...process.env };
    const child = spawn('/bin/sh', ['-c', pager], { env, stdio: ['pipe', 'inherit', 'inherit'] });
    // Ctrl-C is the pager's.
    const keep = (): void => {};
    process.on('SIGINT', keep);
    const end = (hasShown: boolean): void => {
      process.off('SIGINT', keep);
      resolve(hasShown);
    };
    child.once('error', () => end(false));
    // 127: the shell found no such program; 126: it may not be run.
    child.once('close', code => end(code !== 127 && code !== 126));
    // A reader that ends early is no failure.
    child.stdin.on('error', () => {});
    child.stdin.end(lines.map(line => `${line}\n`).join(''));
  });
}
