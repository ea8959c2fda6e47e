/**
 * `sallyport boxes list`, `add` and `revoke`: sockets or tokens for agents in containers, sandboxes
 * or under another Unix user.
 */

import { shellWord } from '../../shared/client-configs.ts';
import type { BoxView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { boxNamed } from '../boxes/box-named.ts';
import { misuse } from '../cli-error.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { table } from '../table.ts';
import { print, printJson, remark, say } from '../terminal.ts';
import { scopeWords, shownTime, wordFor } from '../words.ts';
import { grantOf, grantOptions } from './tokens.ts';
import { reachOf } from './tokens-list.ts';

export const listBoxesCommand = command(
  { words: 'boxes list', about: 'List the boxes that agents reach Sallyport from' },
  async ({ terminal, json, answer }) => {
    const { boxes } = await askDaemon(terminal, 'boxes.list', {});
    if (boxes.length === 0 && !json) return say(terminal, 'There is no box yet; `sallyport boxes add NAME` makes one.');
    const columns = {
      NAME: ({ name }: BoxView) => name,
      SCOPE: ({ scope }: BoxView) => wordFor(scopeWords, scope),
      CONNECTIONS: reachOf,
      STATE: stateOf,
      'LAST USED': ({ lastUsedAt }: BoxView) => (lastUsedAt === null ? 'never' : shownTime(lastUsedAt)),
      FOLDER: ({ folder }: BoxView) => folder,
    };
    answer(boxes, ...table(terminal, boxes, columns, 'FOLDER'));
    for (const { name, problem, tokenFile } of boxes) {
      const what =
        tokenFile === null ? `The box ${name} refuses programs` : `Nobody can read the token of the box ${name}`;
      if (problem !== null && !json) remark(terminal, `${what}: ${problem}.`);
    }
  },
);

export const addBoxCommand = command(
  {
    words: 'boxes add',
    arguments: ['NAME'],
    about: 'Make a folder with a socket for an agent in a box',
    details: [
      'Mount the folder it prints into the container or sandbox, at the same path.',
      'A program that opens its socket has the access of the box. No secret is in the box.',
      'The socket speaks MCP (socat is the bridge inside) and HTTP. docs/boxes.md has recipes.',
      "Sockets don't reach into Docker Desktop. There --token writes a token into the folder:",
      'a secret is in the box then, and the box reaches Sallyport at host.docker.internal.',
      '`sallyport connect CLIENT --box NAME` prints what the client inside needs.',
    ],
    options: {
      ...grantOptions,
      group: { type: 'string', value: 'G', about: 'a Unix group whose users may open it too' },
      token: { type: 'boolean', about: 'a token in the folder, and no socket' },
      wire: { type: 'boolean', about: "also a socket for PostgreSQL's protocol, to read" },
    },
  },
  async ({ terminal, arguments: [name = ''], options, json }) => {
    if (options.token === true && options.wire === true)
      throw misuse('--token makes a box without sockets; leave out --wire.');
    const made = await askDaemon(terminal, 'boxes.add', {
      name,
      ...grantOf(options),
      group: options.group ?? null,
      credential: options.token === true ? 'token' : options.wire === true ? 'sockets' : 'socket',
    });
    if (json) return printJson(terminal, made);
    print(terminal, made.folder);
    const until = made.expiresAt === null ? 'It does not expire' : `It expires ${shownTime(made.expiresAt)}`;
    if (made.tokenFile === null) {
      remark(terminal, `Mount this folder into the box at the same path. ${until}.`);
      remark(terminal, `Inside, \`socat - ${shellWord(`UNIX-CONNECT:${made.socket}`)}\` speaks MCP.`);
      if (made.wire !== null)
        remark(terminal, `\`psql -h ${shellWord(made.folder)} -d CONNECTION\` reads a PostgreSQL connection.`);
    } else {
      remark(terminal, `Its token is in ${made.tokenFile} and nowhere else. ${until}.`);
      remark(terminal, 'Anyone who reads that file has the access of the box. Give it to `docker run --env-file`.');
      remark(terminal, `\`sallyport connect CLIENT --box ${name}\` prints the entry for a client inside.`);
    }
    remark(
      terminal,
      'Nothing in a box can start Sallyport: `sallyport service install` has it run from your next login on.',
    );
  },
);

export const revokeBoxCommand = command(
  {
    words: 'boxes revoke',
    arguments: ['NAME'],
    about: 'End a box at once, with its socket or token and its folder',
  },
  async ({ terminal, arguments: [name = ''], answer }) => {
    const { id } = await boxNamed(terminal, name);
    await askDaemon(terminal, 'boxes.revoke', { id });
    answer({ id, revoked: true }, `Revoked ${shownText(name)}.`);
  },
);

function stateOf({ state, expiresAt, problem, tokenFile }: BoxView): string {
  if (state !== 'valid') return state;
  // Its socket isn't there, or as many programs as it may have are connected.
  if (problem !== null) return tokenFile === null ? 'refuses programs' : 'no token';
  return expiresAt === null ? 'valid' : `until ${shownTime(expiresAt)}`;
}
