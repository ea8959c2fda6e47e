/** `status`, `stop`, and `pause` and `resume` (spec §2 Off). */

import { shellWord } from '../../../shared/client-configs.ts';
import { type Note, notesOf } from '../../../shared/note.ts';
import { plainIncrease } from '../../access/privilege-increases/increase-words.ts';
import { doubtClause } from '../../access/store-doubt.ts';
import { command, done, looks } from '../command.ts';
import type { AppliedPolicyView } from '../messages/policy.ts';
import { daemonStatus, pauseState, stopped } from '../messages/status.ts';
import { requesterWords } from '../requester-words.ts';
import { filesOf } from './connections-increase.ts';
import { nothing } from './shapes.ts';

export const status = command('status', {
  shape: nothing,
  result: daemonStatus,
  brake: true,
  ...looks,
  run: async (_, { ports, desk, requester, isApp, shells, appPresence }) => {
    await ports.lookAtFiles(filesOf(ports.connections.list()));
    const said = ports.status();
    const policy = (await ports.policyFile.hasChanged()) ? policyNotes(ports.policyFile.applied()) : [];
    const notes = [...said.notes, ...policy, ...(appPresence() === 'several' ? [severalApps] : [])];
    const waiting = desk.list({ requester, isApp: isApp() }).length;
    return done({ ...said, notes, shells: shells(), waiting });
  },
});

/** A file never applies itself: its person may not be who edited it. */
function policyNotes(applied: AppliedPolicyView | null): Note[] {
  const file = applied?.path ?? '';
  const sentence = `The policy file ${file} has changed since it was applied; \`sallyport policy apply ${shellWord(file)} --check\` tells what that would change.`;
  return notesOf('policy_changed', [sentence]);
}

const severalApps: Note = {
  code: 'several_apps',
  sentence: 'More than one program says that it is Sallyport.app, so none of them can confirm anything.',
  advice: 'quit them, then open Sallyport.app',
};

/** Answered before the daemon begins to stop. */
export const stop = command('stop', {
  shape: nothing,
  result: stopped,
  brake: true,
  privilegeIncrease: 'never',
  // As the end of the run, which names the requester.
  records: 'itself',
  run: async (_, context) => {
    const { ports } = context;
    const { pid } = ports.status();
    const client = await requesterWords(context);
    // After this turn of the loop, so the answer is written before the stop closes the socket.
    setImmediate(ports.stop, client);
    return done({ pid });
  },
});

/** Refuses every client's request until `resume`, over restarts too. */
export const pause = command('pause', {
  shape: nothing,
  result: pauseState,
  brake: true,
  privilegeIncrease: 'never',
  records: { action: 'pause' },
  run: async (_, { ports }) => {
    await ports.pause();
    return done({ paused: true });
  },
});

export const resume = command('resume', {
  shape: nothing,
  result: pauseState,
  privilegeIncrease: (_, { ports }) => {
    const found = ports.doubts().map(doubtClause);
    const because = found.length === 0 ? '' : `; it paused by itself, since ${found.join('; and since ')}`;
    // What a person did last holds: no confirmation outlives a later pause.
    return plainIncrease(`lets every client in again, which had been paused${because}`, ports.pauseCount());
  },
  records: { action: 'resume' },
  run: async (_, { ports }) => {
    await ports.resume();
    return done({ paused: false });
  },
});
