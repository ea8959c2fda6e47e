/**
 * `desk.list`, `desk.open` and `desk.attach` (spec §11, §12): what waits for the person, what it
 * takes, and who can ask them.
 */

import * as z from 'zod';
import type { ProcessOrigin } from '../../access/privilege-increases/origin-words.ts';
import { type CommandContext, command, done, looks, refused } from '../command.ts';
import { requestView } from '../desk/views.ts';
import type { AskView } from '../messages/ask.ts';
import { askList, deskAttachment } from '../messages/desk.ts';
import { requestsNamed } from './desk-clients.ts';
import { ids, noLongerWaiting } from './desk-shapes.ts';
import { nothing } from './shapes.ts';

export const deskList = command('desk.list', {
  shape: nothing,
  result: askList,
  ...looks,
  run: (_, context) => {
    const unkept = context.ports.accessRequests.unkept();
    return done({ asks: seenBy(context), ...(unkept > 0 && { unkept }) });
  },
});

/**
 * Counts what the statements of access requests take, before they are allowed or run: both are held
 * to the figures. Without a trial, `takes` says why.
 */
export const deskOpen = command('desk.open', {
  shape: z.strictObject({ ids }),
  result: askList,
  privilegeIncrease: 'never',
  // Its trials run on the database, whoever asks for them.
  records: {
    action: 'request.open',
    done: ({ asks }) => ({ reason: asks.map(({ id }) => id).join(', ') }),
  },
  run: async (asked, context) => {
    const { ports, increases, requestId, signal } = context;
    const { accessRequests } = ports;
    const found = requestsNamed(asked.ids, ports);
    if (found === null) return refused('gone', noLongerWaiting);
    const shown: Awaited<ReturnType<typeof ports.openAsOwner>>[] = [];
    for (const request of found) shown.push(await ports.openAsOwner(request.facts, requestId, signal));
    // One at a time: the figures must not change between showing them and the passphrase that
    // allows them.
    return increases(async () => {
      for (const [at, { id }] of found.entries()) if (shown[at] != null) accessRequests.open(id, shown[at]);
      const opened = requestsNamed(asked.ids, ports);
      return opened === null ? refused('gone', noLongerWaiting) : done({ asks: opened.map(requestView) });
    });
  },
});

/**
 * Registers this shell, until it disconnects, as one that can (or can't) ask a person; answers with
 * what waits.
 */
export const deskAttach = command('desk.attach', {
  shape: z.strictObject({ answers: z.boolean('true or false is expected') }),
  result: deskAttachment,
  ...looks,
  run: async ({ answers }, context) => {
    const { attach, isApp, origin } = context;
    const attached = (isApp() || isOnTerminal(await origin())) && answers;
    attach(attached);
    return done({ asks: seenBy(context), attached });
  },
});

/** A person sits there, as far as one can tell: a program may answer questions through a pipe. */
function isOnTerminal(origin: ProcessOrigin | null): boolean {
  return origin !== null && origin.terminal !== null;
}

function seenBy({ desk, requester, isApp }: CommandContext): readonly AskView[] {
  return desk.list({ requester, isApp: isApp() });
}
