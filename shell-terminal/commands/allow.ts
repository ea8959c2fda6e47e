/**
 * `sallyport allow` (spec §12, §16): the command for all that waits for the person. That is
 * questions, whose clients wait now, and requests, whose clients have to ask again.
 */

import { failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { answersTo, give, giveById } from '../desk/answers.ts';
import { type Ask, asAsked, askTable, listedAsks } from '../desk/asks.ts';
import { cardLines } from '../desk/card.ts';
import { followInLines } from '../desk/follow.ts';
import { openRequests, printGiven } from '../desk/opened-requests.ts';
import { followInWindow } from '../desk/window.ts';
import { sayNoMoreOfRequests } from '../notices.ts';
import { chosenFrom, typedLine } from '../setup/typed.ts';
import { placeOn } from '../sheet/drawing-place.ts';
import { print, printJson, remark, type Terminal } from '../terminal.ts';
import { wholeNumber } from '../words.ts';

export const allowCommand = command(
  {
    words: 'allow',
    about: 'Answer what waits for you',
    details: [
      'Lists what waits for you. You choose one or several, and then an answer: allow',
      'each once, run them yourself, let AI clients write to the connection for a while,',
      'or refuse. You see each in full before you type your passphrase. A client whose',
      'call was refused sends it again, within 15 minutes of its first try.',
      '--follow asks you in this terminal until Ctrl-C: a window shows each one in turn.',
      'With --json or TERM=dumb it prints them, and you answer with lines: `yes ID` or',
      '`no ID`. In a pipe it only prints them.',
    ],
    options: {
      follow: { type: 'boolean', about: 'stay, and ask you here' },
      times: { type: 'string', value: 'N', about: 'let each run N times (default: 1)' },
    },
  },
  async ({ terminal, options, json }) => {
    const times = options.times === undefined ? undefined : wholeNumber('times', options.times);
    if (times === 0) throw misuse('--times must be at least 1.');
    sayNoMoreOfRequests();
    if (options.follow === true) {
      if (times !== undefined) throw misuse('--follow asks about each one; leave out --times.');
      const place = json ? 'no terminal' : placeOn(terminal.stdout, terminal);
      return typeof place === 'string' ? followInLines(terminal, json) : followInWindow(terminal, place);
    }
    await withDaemon(terminal, async client => {
      const { asks, unkept } = await listedAsks(client);
      if (json) return printJson(terminal, asks);
      if (asks.length === 0) print(terminal, 'Nothing waits for your answer.');
      else print(terminal, ...askTable(terminal, asks));
      if (unkept > 0) print(terminal, `${unkept} more in the last 15 minutes were not kept, as too many waited.`);
      if (asks.length === 0) return;
      if (terminal.stdin.isTTY !== true) return remark(terminal, 'Run this on a terminal to answer.');
      const picked = asks.length === 1 ? asks : await chosenFrom(terminal, which, asks);
      if (picked.length === 0) return print(terminal, 'Nothing was answered.');
      if (times !== undefined && picked.some(({ waits }) => waits))
        throw misuse('A call that waits is answered once; leave out --times, or choose refused statements alone.');
      await answer(terminal, client, await opened(terminal, client, asAsked(picked)), times);
    });
  },
);

export const allowYesCommand = answering('yes', 'Allow one by its ID, once');
export const allowNoCommand = answering('no', 'Refuse one by its ID');

function answering(word: 'yes' | 'no', about: string) {
  return command(
    { words: `allow ${word}`, arguments: ['ID'], about },
    async ({ terminal, arguments: [typed = ''], json }) => {
      sayNoMoreOfRequests();
      const id = typed.toLowerCase();
      const given = await withDaemon(terminal, client => giveById(terminal, client, id, word === 'yes', json));
      if (json) printJson(terminal, { id, answer: word, ...given });
      printGiven(terminal, json ? { ...given, said: [], warnings: [] } : given);
    },
  );
}

const answerHelp = 'Type the number of an answer above. Enter answers nothing; the question goes on waiting.';
const which = 'Answer which? Numbers (1,3) or all; Enter skips: ';

/**
 * Shows the chosen asks in full. What a question takes was counted before it was asked; for a
 * request it is counted now.
 */
async function opened(
  terminal: Terminal,
  client: Pick<ControlClient, 'ask'>,
  picked: readonly Ask[],
): Promise<readonly Ask[]> {
  const questions = picked.filter(({ waits }) => waits);
  const requests = picked.filter(({ waits }) => !waits);
  for (const question of questions) print(terminal, ...cardLines(terminal, question));
  return requests.length === 0 ? questions : [...questions, ...(await openRequests(terminal, client, requests))];
}

/** Offers the answers that all the chosen asks can get, and gives the one that is typed. */
async function answer(
  terminal: Terminal,
  client: Pick<ControlClient, 'ask'>,
  chosen: readonly Ask[],
  times: number | undefined,
): Promise<void> {
  const answers = answersTo(chosen, times);
  print(terminal, ...answers.map(([, shown], at) => `  ${at + 1}  ${shown}`));
  const typed = await typedLine(terminal, 'Number, or Enter to leave it waiting: ', answerHelp);
  if (typed === '') return print(terminal, 'Nothing was answered.');
  const given = answers[Number(typed) - 1]?.[0];
  if (given === undefined) throw failed(`There is no answer ${JSON.stringify(typed)}. Nothing was answered.`);
  printGiven(terminal, await give(client, chosen, given, times));
}
