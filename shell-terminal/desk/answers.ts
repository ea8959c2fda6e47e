/**
 * The answers that a person can give to what waits (spec §12), and how each is given to the daemon.
 * The passphrase is asked for by the connection to the daemon.
 */

import type { DeskAnswer } from '../../shared/control-commands.ts';
import { secondsUntilMidnight } from '../../shared/until-midnight.ts';
import type { ControlClient } from '../control-client.ts';
import type { Terminal } from '../terminal.ts';
import { type Ask, waitingAsks } from './asks.ts';
import { type Given, givenOf, openRequests } from './opened-requests.ts';

export type Answer = 'yes' | 'run' | '30m' | 'tonight' | 'always' | 'no';

type Daemon = Pick<ControlClient, 'ask'>;

/** The possible answers, in words for a person. */
export function answersTo(chosen: readonly Ask[], times = 1): readonly (readonly [Answer, string])[] {
  const one = chosen.length === 1;
  const mayAll = (answer: DeskAnswer): boolean => chosen.every(({ answers }) => answers.includes(answer));
  const isRequests = chosen.every(({ waits }) => !waits);
  const isHostKey = chosen.every(({ kind }) => kind === 'host_key');
  const allow = isHostKey ? `trust ${one ? 'that key' : 'those keys'}` : `allow ${one ? 'it' : 'each'}`;
  const mayBeLevel =
    new Set(chosen.map(({ connection }) => connection.id)).size === 1 &&
    chosen.every(({ lacks, statement }) => lacks === 'connection_level' && statement?.class === 'write');
  const often = isRequests && times !== 1 ? `${times} times` : 'once';
  const name = JSON.stringify(chosen[0]?.connection.name ?? '');
  return [
    ...(mayAll('yes')
      ? [['yes', chosen.every(({ statement }) => statement !== null) ? `${allow} ${often}` : allow] as const]
      : []),
    ...(mayAll('run') ? [['run', `run ${one ? 'it' : 'them, in this order,'} now, yourself`] as const] : []),
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

const levels = { '30m': () => 1800, tonight: secondsUntilMidnight, always: () => null } as const;

/**
 * Gives one answer to all of them. Requests have been opened.
 * @throws CliError if it isn't taken.
 */
export async function give(client: Daemon, chosen: readonly Ask[], answer: Answer, times?: number): Promise<Given> {
  if (answer === 'yes' || answer === 'run' || answer === 'no') {
    const ids = chosen.map(({ id }) => id);
    return givenOf(await client.ask('desk.decide', { ids, answer, ...(answer === 'yes' && { times }) }));
  }
  const connection = chosen[0]?.connection.id ?? '';
  const externalClients = { level: 'readWrite', forSeconds: levels[answer]() } as const;
  await client.ask('connections.save', { connection, externalClients });
  return { said: ['AI clients may write there now. Tell the client to send it again.'], warnings: [], problem: null };
}

/**
 * Answers one by its id, whatever it is. A yes allows a request once; one that its client can't run
 * runs now, as the person.
 */
export async function giveById(
  terminal: Terminal,
  client: Daemon,
  id: string,
  yes: boolean,
  json: boolean,
): Promise<Given> {
  const ask = (await waitingAsks(client)).find(one => one.id === id);
  if (ask === undefined || ask.waits) {
    // The daemon's own sentence tells an id that is nobody's.
    return givenOf(await client.ask('desk.decide', { ids: [id], answer: yes ? 'yes' : 'no' }));
  }
  const opened = yes ? await openRequests(terminal, client, [ask], json) : [ask];
  return give(client, opened, yes ? (ask.runsBy === 'owner' ? 'run' : 'yes') : 'no');
}
