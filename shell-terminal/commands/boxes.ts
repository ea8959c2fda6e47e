/**
 * `sallyport boxes list`, `add` and `revoke`: sockets for agents in containers, sandboxes or under
 * another Unix user.
 */

import type { BoxView } from '../../shared/control-commands.ts';
import { shownText } from '../../shared/shown-text.ts';
import { boxNamed } from '../box-named.ts';
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
    for (const { name, problem } of boxes)
      if (problem !== null && !json) remark(terminal, `Nobody gets in by the box ${name}: ${problem}.`);
  },
);

export const addBoxCommand = command(
  {
    words: 'boxes add',
    arguments: ['NAME'],
    about: 'Make a folder with a socket for an agent in a box',
    details: [
      'Mount the folder it prints into the container or sandbox, at the same path: whoever',
      'opens the socket in it has what the box allows, and no secret lies in the box.',
      'The socket speaks MCP (socat is the bridge inside) and HTTP. docs/boxes.md has recipes.',
      '`sallyport connect CLIENT --box NAME` prints what the client inside needs.',
    ],
    options: {
      ...grantOptions,
      group: { type: 'string', value: 'G', about: 'a Unix group whose users may open it too' },
    },
  },
  async ({ terminal, arguments: [name = ''], options, json }) => {
    const made = await askDaemon(terminal, 'boxes.add', { name, ...grantOf(options), group: options.group ?? null });
    if (json) return printJson(terminal, made);
    print(terminal, made.folder);
    const until = made.expiresAt === null ? 'It does not expire' : `It expires ${shownTime(made.expiresAt)}`;
    remark(terminal, `Mount this folder into the box at the same path. ${until}.`);
    remark(terminal, `Inside, \`socat - UNIX-CONNECT:${made.socket}\` speaks MCP.`);
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
    about: 'End a box at once, with its socket and folder',
  },
  async ({ terminal, arguments: [name = ''], answer }) => {
    const { id } = await boxNamed(terminal, name);
    await askDaemon(terminal, 'boxes.revoke', { id });
    answer({ id, revoked: true }, `Revoked ${shownText(name)}.`);
  },
);

function stateOf({ state, expiresAt, problem }: BoxView): string {
  if (state !== 'valid') return state;
  if (problem !== null) return 'no socket';
  return expiresAt === null ? 'valid' : `until ${shownTime(expiresAt)}`;
}
