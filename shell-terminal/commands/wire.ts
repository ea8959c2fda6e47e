/** `sallyport wire`: a socket for programs that speak PostgreSQL's own protocol. */

import { shellWord } from '../../shared/client-configs.ts';
import type { BoxView } from '../../shared/control-commands.ts';
import { failed } from '../cli-error.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import type { Terminal } from '../terminal.ts';
import { print, printJson, remark } from '../terminal.ts';
import { shownTime } from '../words.ts';
import { grantOf, grantOptions } from './tokens.ts';

export const wireCommand = command(
  {
    words: 'wire',
    arguments: ['NAME'],
    about: 'Open a socket for psql, ORMs and tests to read a PostgreSQL connection',
    details: [
      'Prints a folder with a socket in it, for programs that speak PostgreSQL themselves.',
      'They need no password, and can only read, whatever the level of the connection.',
      'NAME is the connection; with --connections it is a name for the socket alone.',
      'If it is open already, its folder is printed again. `sallyport boxes list` shows it,',
      'and `sallyport boxes revoke` closes it. Opening it needs the owner passphrase.',
    ],
    options: { connections: grantOptions.connections, expires: grantOptions.expires },
  },
  async ({ terminal, arguments: [name = ''], options, json }) => {
    const connections = options.connections ?? name;
    const box = options.connections === undefined ? boxNameOf(name) : name;
    const made = (await openAlready(terminal, box)) ?? (await add(terminal, box, connections, options.expires));
    if (json) return printJson(terminal, made);
    const { folder, expiresAt } = made;
    print(terminal, folder);
    const [first] = made.connections === 'all' ? [] : made.connections;
    const database = first?.name ?? 'NAME';
    const url = `postgres:///${encodeURIComponent(database)}?host=${encodeURIComponent(folder).replaceAll('%2F', '/')}`;
    remark(terminal, `psql -h ${shellWord(folder)} -d ${shellWord(database)}`);
    remark(terminal, `DATABASE_URL=${shellWord(url)}`);
    const until = expiresAt === null ? 'It does not expire' : `It expires ${shownTime(expiresAt)}`;
    remark(terminal, `What connects there only reads. ${until}; \`sallyport boxes revoke ${box}\` closes it.`);
    if (first !== undefined) await remarkOnRole(terminal, first.id);
  },
);

async function add(
  terminal: Terminal,
  name: string,
  connections: string,
  expires: string | undefined,
): Promise<BoxView> {
  if (connections !== 'all') for (const each of connections.split(',')) await refuseOthers(terminal, each.trim());
  const grant = grantOf({ scope: 'read-only', connections, ...(expires !== undefined && { expires }) });
  return askDaemon(terminal, 'boxes.add', { name, ...grant, group: null, credential: 'wire' });
}

/** @throws CliError if no program could ever read it there: before the passphrase is asked for. */
async function refuseOthers(terminal: Terminal, connection: string): Promise<void> {
  const { name, engine, sight, masks = [] } = await askDaemon(terminal, 'connections.show', { connection });
  if (engine !== 'postgres')
    throw failed(`A wire speaks PostgreSQL, and "${name}" is another kind of database, so no wire was opened.`);
  const keeps = [
    ...((sight?.hide.length ?? 0) + (sight?.only.length ?? 0) > 0 ? ['hides tables'] : []),
    ...(masks.length > 0 ? ['masks columns'] : []),
  ];
  if (keeps.length > 0)
    throw failed(`"${name}" ${keeps.join(' and ')}, so no program reads it by a wire, and none was opened.`);
}

/** @throws CliError if another box has the name. */
async function openAlready(terminal: Terminal, name: string): Promise<BoxView | null> {
  const { boxes } = await askDaemon(terminal, 'boxes.list', {});
  const found = boxes.find(box => box.name === name);
  if (found === undefined) return null;
  if (found.wire !== null && found.state === 'valid' && found.problem === null) return found;
  const why = found.wire === null ? 'has no socket for PostgreSQL' : (found.problem ?? `has ended (${found.state})`);
  throw failed(`The box ${name} ${why}; \`sallyport boxes revoke ${name}\` makes room for another.`);
}

/** What the role could do if it were not for the door. */
async function remarkOnRole(terminal: Terminal, connection: string): Promise<void> {
  const result = await askDaemon(terminal, 'connections.test', { connection });
  if (!result.reachable) return remark(terminal, `Its server can't be reached now: ${result.problem}`);
  for (const sentence of result.warnings) remark(terminal, sentence);
}

/** As a box may be called: part of a path. */
function boxNameOf(connection: string): string {
  const words = connection
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter(word => word !== '');
  const name = words.join('-').slice(0, 40);
  return name === '' ? 'wire' : name;
}
