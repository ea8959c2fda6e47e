/**
 * Offers to take over what reaches a database past Sallyport, one server after the other. After a
 * yes it saves the server's databases, takes its entry out of the client's file, and puts Sallyport
 * in. Without a yes it does nothing.
 */

import { stdioConfigs } from '../../shared/client-configs.ts';
import type { ConnectionView } from '../../shared/control-commands.ts';
import { namedHome } from '../../shared/locations.ts';
import { shownText } from '../../shared/shown-text.ts';
import { CliError } from '../cli-error.ts';
import { notLoadedHere } from '../connect/loaded-here.ts';
import { usualFile } from '../connect/usual-file.ts';
import { writeBridge } from '../connect/write-entry.ts';
import { withDaemon } from '../daemon.ts';
import { everyConnection } from '../every-connection.ts';
import { testConnection } from '../host-keys.ts';
import { type Candidate, databaseKey } from '../setup/candidate.ts';
import { saveAndTest } from '../setup/import.ts';
import { typedYes } from '../setup/typed.ts';
import { remark, say, type Terminal } from '../terminal.ts';
import { backupsWithPasswords, lookingFrom, type OtherServer, passwordsInComments, realPath } from './entries.ts';
import { type Own, takeOut } from './take.ts';
import { commentTold, toldOf, whyNot } from './told.ts';

/**
 * @param bridge the path of this install's `sallyport-mcp`.
 * @returns the names of new connections.
 */
export async function offerTakeovers(
  terminal: Terminal,
  bridge: string,
  servers: readonly OtherServer[],
): Promise<readonly string[]> {
  const saved: string[] = [];
  for (const path of new Set(servers.map(server => server.path))) {
    const chosen: OtherServer[] = [];
    for (const server of servers.filter(one => one.path === path)) {
      if (await offerToSave(terminal, server, saved)) chosen.push(server);
    }
    const [first] = chosen;
    if (first === undefined) continue;
    try {
      tellTaken(terminal, chosen, takeFrom(terminal, bridge, chosen));
    } catch (error) {
      // One file that can't be changed doesn't stop the others.
      if (!(error instanceof CliError)) throw error;
      remark(terminal, error.message);
    }
  }
  return saved;
}

const takeoverHelp =
  'A yes saves its database with its password, tests it, and takes the server out of the file; `sallyport connect undo` puts it back. A no changes nothing.';

/**
 * Offers to take over one server, and saves its databases after a yes.
 * @param saved gets the names of new connections.
 * @returns true if the person said yes and all its databases are saved.
 */
async function offerToSave(terminal: Terminal, server: OtherServer, saved: string[]): Promise<boolean> {
  say(terminal, toldOf(server, terminal.userHome));
  const why = whyNot(server);
  if (why !== null) {
    say(terminal, why);
    return false;
  }
  if (!(await typedYes(terminal, 'Save it here, and put Sallyport in its place?', true, takeoverHelp))) return false;
  for (const reach of server.reaches) {
    if (reach.kind !== 'database') continue;
    const { candidate } = reach;
    const there = await savedAt(terminal, candidate);
    if (there !== null) say(terminal, `It is saved already, as ${shownText(there.name)}.`);
    const added = there ?? (await saveAndTest(terminal, candidate.name, candidate.connection));
    const tested = there === null ? null : await testConnection(terminal, there.name);
    if (tested?.reachable === false) {
      say(terminal, `It can't be reached: ${tested.problem} So ${shownText(server.name)} stays in ${server.path}`);
      return false;
    }
    if (added === 'refused' || added === null) {
      say(terminal, `It is not saved, so ${shownText(server.name)} stays in ${server.path}`);
      return false;
    }
    if (there === null) saved.push(added.name);
  }
  return true;
}

/** The saved connection to the same database through the same tunnel, with whatever account. */
export async function savedAt(terminal: Terminal, { connection }: Candidate): Promise<ConnectionView | null> {
  const key = databaseKey(connection.endpoint, connection.tunnel);
  const all = await withDaemon(terminal, everyConnection);
  return all.find(view => databaseKey(view, view.tunnel) === key) ?? null;
}

/**
 * Takes servers out of one file. Sallyport's entry goes into the client's own file. That may be
 * another one, since a project's file may be shared with others.
 * @returns the path of the backup.
 * @throws CliError
 */
export function takeFrom(terminal: Terminal, bridge: string, servers: readonly OtherServer[]): string {
  const [first] = servers;
  if (first === undefined) throw new Error('no server');
  const own = ownOf(terminal, bridge, first.client);
  const entries = servers.map(({ entry }) => entry);
  const isThere = own !== null && isUsualPlace(terminal, first);
  if (own !== null && !isThere) writeBridge(usualFile(terminal, first.client), own.entry, bridge);
  return takeOut(first.path, entries, isThere ? own : null);
}

/** Sallyport's own entry for a client; null for a client that can't start the bridge. */
export function ownOf({ environment }: Terminal, bridge: string, client: string): Own | null {
  const config = stdioConfigs(bridge, namedHome(environment)).find(known => known.client === client);
  return config === undefined ? null : { entry: config.entry, bridge };
}

/** True if Sallyport's entry goes into the file that the server is in. */
export function isUsualPlace(
  { userHome, environment }: Terminal,
  { client, isProject, path }: Pick<OtherServer, 'client' | 'isProject' | 'path'>,
): boolean {
  return !isProject && realPath(usualFile({ userHome, environment }, client)) === path;
}

/** Tells what was taken out, and where passwords are left. @param servers of one file. */
export function tellTaken(terminal: Terminal, servers: readonly OtherServer[], backup: string): void {
  const [first] = servers;
  if (first === undefined) return;
  const { client, title, isProject, path } = first;
  say(terminal, `${title} has Sallyport in its place now; restart it. Changed: ${path}`);
  say(
    terminal,
    `The old file is kept as ${backup}; \`sallyport connect undo ${client}\` puts back what was taken out.`,
  );
  const looking = lookingFrom(terminal);
  const holding = backupsWithPasswords(looking).filter(copy => copy.startsWith(`${path}.`));
  if (holding.length > 0) {
    const copies = holding.map(copy => (copy === backup ? 'that file' : copy)).join(' and in ');
    say(terminal, `A password is in ${copies}: once all works, delete ${holding.length === 1 ? 'it' : 'them'}.`);
  }
  if (passwordsInComments(looking).some(file => file.path === path)) say(terminal, commentTold(path));
  for (const file of new Set(servers.flatMap(({ secretFiles }) => secretFiles)))
    say(terminal, `${file}, which it read, still holds a password or a key; take it out by hand.`);
  for (const says of notLoadedHere(client, false, looking)) say(terminal, says);
  if (isProject)
    say(
      terminal,
      'Others may have this file too: if it was committed, change the password at the server, and never commit the copy.',
    );
}
