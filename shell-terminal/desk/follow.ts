/**
 * `sallyport allow --follow` where it can't draw (spec §12): prints what waits. On a terminal it
 * stays attached while it runs, and reads answers as lines; in a pipe it only prints.
 */

import { createInterface, type Interface } from 'node:readline';
import { shownName } from '../../shared/shown-text.ts';
import { CliError, noDaemon } from '../cli-error.ts';
import { withDaemon } from '../daemon.ts';
import { print, remark, type Terminal } from '../terminal.ts';
import { giveById } from './answers.ts';
import { type Ask, type Ended, endingOf } from './asks.ts';
import { askLines } from './card.ts';
import { type Given, printGiven } from './opened-requests.ts';
import { attach, needsTerminalToAnswer } from './watch.ts';

/** Ends when the daemon does. @throws CliError */
export function followInLines(terminal: Terminal, json: boolean): Promise<void> {
  // Shows each once, and reports its end only if it was shown.
  const shown = new Map<string, Ask>();
  const asked = (ask: Ask): void => {
    if (shown.has(ask.id)) return;
    shown.set(ask.id, ask);
    if (json) print(terminal, JSON.stringify({ event: 'asked', ...ask }));
    else print(terminal, '', ...askLines(terminal, ask));
  };
  const ended = ({ id, because }: Ended): void => {
    const ask = shown.get(id);
    if (ask === undefined) return;
    shown.delete(id);
    if (json) print(terminal, JSON.stringify({ event: 'withdrawn', id, because }));
    else print(terminal, '', `- ${shownName(id)}  ${endingOf(ask, because)}.`);
  };
  return withDaemon(terminal, async client => {
    const isTyped = terminal.stdin.isTTY === true;
    const { asks, attached } = await attach(client, { asked, ended }, isTyped);
    if (!attached) remark(terminal, needsTerminalToAnswer);
    else if (!json) {
      const waits = asks.length === 0 ? 'Nothing waits' : `${asks.length} waiting`;
      remark(terminal, `Questions are asked here now. ${waits}; type yes ID or no ID to answer, Ctrl-C to leave.`);
    }
    asks.forEach(asked);
    /** @returns what to do with its outcome; how a question ends is told above, once. */
    const report = (id: string): ((given: Given) => void) => {
      const isRequest = shown.get(id)?.waits === false;
      return given => {
        if (json && isRequest) print(terminal, JSON.stringify({ event: 'answered', id, ...given }));
        else printGiven(terminal, isRequest ? given : { ...given, said: [] });
      };
    };
    const answers = attached ? takeAnswers(terminal, json, report) : null;
    await client.closed;
    // Otherwise the open terminal would keep this process alive.
    answers?.close();
    throw noDaemon(' any more; `sallyport start` starts it');
  });
}

/** Lines typed by a person. Their end doesn't end the command: another terminal may answer too. */
function takeAnswers(terminal: Terminal, json: boolean, report: (id: string) => (given: Given) => void): Interface {
  const answers = createInterface({ input: terminal.stdin, terminal: false });
  answers.on('line', line => {
    const [, answer = '', id = ''] = /^\s*(yes|no)\s+([a-z0-9]+)\s*$/i.exec(line) ?? [];
    if (id === '') {
      if (line.trim() !== '') remark(terminal, 'Type yes ID or no ID; each begins with its ID.');
      return;
    }
    // An approval may need the owner passphrase, typed on this terminal. It goes over a separate
    // connection, which forgets it at its end.
    answers.pause();
    const yes = answer.toLowerCase() === 'yes';
    const named = id.toLowerCase();
    const told = report(named);
    withDaemon(terminal, async client => told(await giveById(terminal, client, named, yes, json)))
      .finally(() => answers.resume())
      .catch((error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        remark(terminal, error.message);
      });
  });
  return answers;
}
