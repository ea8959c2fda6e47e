/** `sallyport connections remove` and `restore`: a removed connection is kept for some days. */

import { shellWord } from '../../shared/client-configs.ts';
import type { RemovedConnectionView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { accessSentence } from '../access-sentence.ts';
import { command } from '../command.ts';
import { askDaemon, withDaemon } from '../daemon.ts';
import { everyRemovedConnection } from '../every-connection.ts';
import { table } from '../table.ts';
import { print, printJson, say, type Terminal } from '../terminal.ts';
import { shownTime } from '../words.ts';
import { placeOf } from './connections.ts';

export const removeConnectionCommand = command(
  {
    words: 'connections remove',
    arguments: ['NAME'],
    about: 'Remove a connection; it is kept for seven days',
    details: [
      'AI clients lose it at once. Sallyport keeps it for seven days, its password',
      'included, so that `sallyport connections restore` can bring it back. Then both',
      'are deleted. There is no way to delete them sooner.',
    ],
  },
  async ({ terminal, arguments: [connection = ''], answer }) => {
    const removed = await askDaemon(terminal, 'connections.delete', { connection });
    const name = shownText(removed.name);
    const done = `Removed ${name}.`;
    if (removed.keptUntil === null) return answer(removed, done);
    const back = `\`sallyport connections restore ${shellWord(name)}\` brings it back`;
    answer(removed, `${done} It is kept until ${shownTime(removed.keptUntil)}; ${back}.`);
  },
);

export const restoreConnectionCommand = command(
  {
    words: 'connections restore',
    arguments: ['[NAME]'],
    about: 'Bring back a removed connection, or list them',
    details: [
      'Without NAME it lists the connections removed in the last seven days. With NAME it',
      'brings one back with its password, level and policy, and needs the owner',
      'passphrase. NAME is a',
      'name, or an id if several have that name.',
    ],
  },
  async ({ terminal, arguments: [connection], json }) => {
    if (connection === undefined) return listRemoved(terminal, json);
    const restored = await askDaemon(terminal, 'connections.restore', { connection });
    if (json) return printJson(terminal, restored);
    say(terminal, `Restored ${restored.name}. ${accessSentence(restored, Date.now())}`);
  },
);

async function listRemoved(terminal: Terminal, json: boolean): Promise<void> {
  const removed = await withDaemon(terminal, everyRemovedConnection);
  if (json) return printJson(terminal, removed);
  if (removed.length === 0) return say(terminal, 'No connection was removed in the last seven days.');
  const columns = {
    NAME: ({ connection }: RemovedConnectionView) => connection.name,
    WHERE: ({ connection }: RemovedConnectionView) => placeOf(connection),
    REMOVED: ({ removedAt }: RemovedConnectionView) => shownTime(removedAt),
    'KEPT UNTIL': ({ keptUntil }: RemovedConnectionView) => shownTime(keptUntil),
    ID: ({ connection }: RemovedConnectionView) => connection.id,
  };
  print(terminal, ...table(terminal, removed, columns, 'WHERE'));
}
