/** `sallyport connect undo`: puts back what a takeover took out of clients' files (spec §16). */

import type { ServersPlace } from '../../shared/client-files.ts';
import { titleOf } from '../../shared/clients.ts';
import { bridgeCalled } from '../../shared/install.ts';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import type { PutBack } from '../past/take.ts';
import { printJson, say, type Terminal } from '../terminal.ts';
import { clientMeant } from './connect.ts';

export const undoConnectCommand = command(
  {
    words: 'connect undo',
    arguments: ['[CLIENT]'],
    about: "Put back what Sallyport took out of a client's file",
    details: [
      'Only servers that were taken over; what you saved stays saved. A file that nobody',
      'changed since is byte for byte what it was, and the copy beside it is deleted.',
    ],
  },
  async ({ terminal, arguments: [typed], json }) => {
    const client = typed === undefined ? null : clientMeant(typed);
    if (client !== null && titleOf(client) === client)
      throw failed(`${typed} is no client that Sallyport knows.`, 'unknown_client');
    const done = await serversPutBack(terminal, client);
    if (json) return printJson(terminal, done);
    sayPutBack(terminal, done);
    if (done.length === 0) say(terminal, 'Nothing was taken out, or its copy is gone.');
  },
);

export function sayPutBack(terminal: Terminal, done: Awaited<ReturnType<typeof serversPutBack>>): void {
  for (const { title, names, path, backup } of done) {
    say(terminal, `${title} has ${names.join(', ')} again, past Sallyport; restart it. Changed: ${path}`);
    if (backup !== null) say(terminal, `The file has changed meanwhile, so the copy stays: ${backup}`);
  }
}

/** @param client null for all. */
export async function serversPutBack(terminal: Terminal, client: string | null) {
  // Loaded on demand: the parsers would add a third to every command's start.
  const [
    { backupsOf, lookingFrom, onlyOnce, placesHere, realPath, serversInFile },
    { putBack },
    { isUsualPlace, ownOf },
  ] = await Promise.all([import('../past/entries.ts'), import('../past/take.ts'), import('../past/offer.ts')]);
  const looking = lookingFrom(terminal);
  const places = placesHere(looking).filter(place => client === null || place.client === client);
  const files = new Map<string, ServersPlace>();
  for (const place of places) if (!files.has(realPath(place.path))) files.set(realPath(place.path), place);
  return [...files].flatMap(([path, place]) => {
    if (backupsOf(path, true).length === 0) return [];
    const bridge = bridgeCalled(terminal.script);
    const isOwns = isUsualPlace(terminal, { ...place, path });
    const own = bridge === null || !isOwns ? null : ownOf(terminal, bridge, place.client);
    const ofFile = places.filter(one => realPath(one.path) === path);
    const serversIn = (backup: string) =>
      onlyOnce(ofFile.flatMap(one => serversInFile(backup, one, looking))).map(({ entry }) => entry);
    const steps: (PutBack & Pick<ServersPlace, 'client' | 'title'>)[] = [];
    // Each takeover made a copy; the newest goes first.
    for (let done = putBack(path, own, serversIn); done !== null; done = putBack(path, own, serversIn))
      steps.push({ client: place.client, title: place.title, ...done });
    return steps;
  });
}
