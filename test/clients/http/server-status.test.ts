/**
 * One word for the state of the server, and a sentence for each thing about it that people should
 * know.
 */

import { expect, test } from '@jest/globals';
import { serverState } from '../../../daemon/status.ts';
import { noteText } from '../../../shared/note.ts';

const served = { port: 27432, taken: null };
const taken = { port: 27433, taken: { port: 27432, holder: 'nginx (process 7)' } };

function state(given: { served?: unknown; problem?: string; paused?: boolean } | null, isStopping = false) {
  if (given === null) return serverState(null, isStopping);
  const serving = {
    served: () => given.served ?? null,
    problem: () => given.problem ?? null,
    isPaused: () => given.paused ?? false,
  };
  return serverState(serving as unknown as Parameters<typeof serverState>[0], isStopping);
}

test.each([
  ['while it starts', null, 'starting', null, []],
  ['served', { served }, 'ready', 27432, []],
  ['paused', { served, paused: true }, 'paused', 27432, [/paused, so every client is refused/]],
  [
    'on another port',
    { served: taken },
    'ready',
    27433,
    [/^Port 27432 belongs to nginx \(process 7\), so HTTP clients/],
  ],
  ['switched off', {}, 'off', null, [/switched off; `sallyport settings set enabled true`/]],
  ['without a port', { problem: 'port 27432 is taken' }, 'off', null, [/^Port 27432 is taken, so no client is served/]],
] as const)('%s', (_, given, word, port, notes) => {
  const { notes: told, ...rest } = state(given);
  expect(rest).toEqual({ state: word, port });
  expect(told.map(noteText)).toEqual(notes.map(note => expect.stringMatching(note)));
});

test('a stopping server doesn’t say what is wrong', () => {
  expect(state({ problem: 'x' }, true)).toEqual({ state: 'stopping', port: null, notes: [] });
  expect(state(null, true)).toMatchObject({ state: 'stopping' });
});
