/**
 * `sallyport allow` (spec §12, §16): shows requests that AI clients wait for, and takes the
 * person's answer to one or several.
 */

import type { AccessRequestView } from '../../shared/control-commands.ts';
import { failed, misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { secondsUntilMidnight } from '../connection-fields.ts';
import type { ControlClient } from '../control-client.ts';
import { withDaemon } from '../daemon.ts';
import { sayNoMoreOfRequests } from '../notices.ts';
import { openRequests, printRan } from '../opened-requests.ts';
import { requestTable } from '../request-lines.ts';
import { chosenFrom, typedLine } from '../setup/typed.ts';
import { print, printJson, remark, type Terminal } from '../terminal.ts';
import { wholeNumber } from '../words.ts';

export const allowCommand = command(
  {
    words: 'allow',
    about: 'Answer the requests that AI clients wait for',
    details: [
      'Lists the waiting requests. You choose one or several, and then an answer: allow',
      'each once, run them yourself, let AI clients write to the connection for a while,',
      'or refuse. You see each in full before you type your passphrase. An allowed client',
      'sends its statement again, within 15 minutes of its first try.',
    ],
    options: { times: { type: 'string', value: 'N', about: 'let each run N times (default: 1)' } },
  },
  async ({ terminal, options, json }) => {
    const times = options.times === undefined ? undefined : wholeNumber('times', options.times);
    if (times === 0) throw misuse('--times must be at least 1.');
    sayNoMoreOfRequests();
    await withDaemon(terminal, async client => {
      const { requests } = await client.ask('requests.list', {});
      if (json) return printJson(terminal, requests);
      if (requests.length === 0) return print(terminal, 'Nothing waits for your answer.');
      print(terminal, ...requestTable(terminal, requests));
      if (terminal.stdin.isTTY !== true) return remark(terminal, 'Run this on a terminal to answer.');
      const picked = requests.length === 1 ? requests : await chosenFrom(terminal, which, requests);
      if (picked.length === 0) return print(terminal, 'Nothing was answered.');
      const chosen = await openRequests(terminal, client, picked);
      await answer(terminal, client, chosen, times);
    });
  },
);

const which = 'Answer which? Numbers (1,3) or all; Enter skips: ';

type Answer = 'once' | 'run' | '30m' | 'tonight' | 'always' | 'no';

/** The possible answers, in words for a person. */
function answersTo(chosen: readonly AccessRequestView[], times = 1): readonly (readonly [Answer, string])[] {
  const one = chosen.length === 1;
  const isStatement = chosen.every(({ statement }) => statement !== null);
  const isHostKey = chosen.every(({ lacks }) => lacks === 'host_key');
  const allow = isHostKey ? `trust ${one ? 'that key' : 'those keys'}` : 'allow it';
  const mayRun = chosen.every(({ runsBy }) => runsBy === 'client');
  const places = new Set(chosen.map(({ connection }) => connection.id));
  const mayBeLevel =
    places.size === 1 &&
    chosen.every(({ lacks, statement }) => lacks === 'connection_level' && statement?.class === 'write');
  const often = times === 1 ? 'once' : `${times} times`;
  const name = JSON.stringify(chosen[0]?.connection.name ?? '');
  return [
    ...(mayRun ? [['once', isStatement ? `allow ${one ? 'it' : 'each'} ${often}` : allow] as const] : []),
    ...(isStatement ? [['run', `run ${one ? 'it' : 'them, in this order,'} now, yourself`] as const] : []),
    ...(mayBeLevel
      ? ([
          ['30m', `let AI clients write to ${name} for 30 minutes`],
          ['tonight', 'the same until tonight'],
          ['always', 'the same until you end it'],
        ] as const)
      : []),
    ['no', 'refuse'],
  ];
}

async function answer(
  terminal: Terminal,
  client: Pick<ControlClient, 'ask'>,
  chosen: readonly AccessRequestView[],
  times: number | undefined,
): Promise<void> {
  const answers = answersTo(chosen, times);
  print(terminal, ...answers.map(([, shown], at) => `  ${at + 1}  ${shown}`));
  const typed = await typedLine(terminal, 'Number, or Enter to leave it waiting: ');
  if (typed === '') return print(terminal, 'Nothing was answered.');
  const given = answers[Number(typed) - 1]?.[0];
  if (given === undefined) throw failed(`There is no answer ${JSON.stringify(typed)}. Nothing was answered.`);
  const ids = chosen.map(({ id }) => id);
  switch (given) {
    case 'no':
      await client.ask('requests.decide', { ids, answer: 'no' });
      return print(terminal, 'Refused. A client that asks again is told so.');
    case 'once': {
      const { ran } = await client.ask('requests.decide', { ids, answer: 'once', times });
      const problem = ran.find(each => each.failed !== null)?.failed;
      if (problem != null) throw failed(`The key is trusted now, but the connection still fails. ${problem}`);
      return print(terminal, 'Allowed. Tell the client to send it again.');
    }
    case 'run':
      return printRan(terminal, chosen, await client.ask('requests.decide', { ids, answer: 'run' }));
    default: {
      const forSeconds = { '30m': 1800, tonight: secondsUntilMidnight(), always: null }[given];
      const connection = chosen[0]?.connection.id ?? '';
      await client.ask('connections.save', { connection, externalClients: { level: 'readWrite', forSeconds } });
      return print(terminal, 'AI clients may write there now. Tell the client to send it again.');
    }
  }
}
