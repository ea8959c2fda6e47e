/**
 * The `boxes.*` commands: a box is a token's record whose credential is a socket, or a token that
 * is written into its folder alone. It is named by a name that no other box has.
 */

import { type BoxRecord, isBox } from '../../access/tokens/token.ts';
import { verdictAt } from '../../access/tokens/token-register.ts';
import { say } from '../../guard/reason.ts';
import { command, done, looks, refused } from '../command.ts';
import { type BoxView, boxList, boxView, endedBox } from '../messages/boxes.ts';
import type { CommandPorts } from '../ports.ts';
import { unknownConnection } from './connection-view.ts';
import { allowlistOf, newBox, tokenById } from './grant.ts';
import { boxIncrease } from './grant-increase.ts';
import { nothing } from './shapes.ts';
import { reachOf, standingOf } from './tokens.ts';

export const boxesList = command('boxes.list', {
  shape: nothing,
  result: boxList,
  brake: true,
  ...looks,
  run: (_, { ports }) => done({ boxes: boxesIn(ports).map(box => viewOf(box, ports)) }),
});

export const boxesAdd = command('boxes.add', {
  shape: newBox,
  result: boxView,
  privilegeIncrease: boxIncrease,
  records: {
    action: 'box.add',
    done: ({ id, name }, _, ports) => ({ principal: id, tokenName: name, ...standingOf(id, ports) }),
  },
  refuses: ({ name }, { ports }) =>
    boxesIn(ports).some(box => box.name === name)
      ? refused(
          'box_exists',
          say('There is a box %@ already; `sallyport boxes revoke %@` ends it.', JSON.stringify(name), name),
          { box: name },
        )
      : null,
  run: async ({ group, credential, ...asked }, { ports }) => {
    const connections = allowlistOf(asked.connections, ports.connections);
    if (typeof connections === 'object' && 'unknown' in connections) return unknownConnection(connections.unknown);
    const request = { ...asked, connections, confirmInClient: false, client: null };
    const { record, plaintext } = await ports.tokens.mintBox(request, { group, credential });
    const unwritten = credential === 'token' ? await ports.boxes.writeToken(record, plaintext) : null;
    await ports.boxes.settle();
    const view = viewOf(record, ports);
    const problem = unwritten ?? view.problem;
    if (problem === null) return done(view);
    await ports.tokens.delete(record.id);
    return refused('box_not_made', say('The box was not made: %@.', problem), { box: record.name });
  },
});

/** It is gone with what its clients have open, and its name is free again. */
export const boxesRevoke = command('boxes.revoke', {
  shape: tokenById,
  result: endedBox,
  brake: true,
  privilegeIncrease: 'never',
  records: { action: 'box.revoke', done: ({ id, name }) => ({ principal: id, tokenName: name }) },
  run: async ({ id }, { ports }) => {
    const box = boxesIn(ports).find(known => known.id === id);
    if (box === undefined)
      return refused(
        'unknown_box',
        say('There is no box %@; `sallyport boxes list` shows all boxes.', JSON.stringify(id)),
        { box: id },
      );
    await ports.tokens.delete(id);
    await ports.boxes.settle();
    return done({ id, name: box.name });
  },
});

function boxesIn({ tokens }: CommandPorts): readonly BoxRecord[] {
  return tokens.list().filter(isBox);
}

function viewOf(record: BoxRecord, ports: CommandPorts): BoxView {
  const { id, name, scope, box, createdAt, expiresAt, revokedAt } = record;
  const expired = verdictAt(ports.now(), record) === 'expired' ? 'expired' : 'valid';
  const { folder, socket, token, wire, problem } = ports.boxes.credentialOf(record);
  return {
    id,
    name,
    scope,
    connections: reachOf(record, ports),
    group: box.group,
    folder,
    socket,
    tokenFile: token,
    wire,
    problem,
    createdAt,
    lastUsedAt: ports.lastUsedAt(id),
    expiresAt,
    state: revokedAt !== null ? 'revoked' : expired,
  };
}
