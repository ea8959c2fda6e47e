/** Which keys a prompt hears just after it was drawn (spec §12). A terminal's are in journeys/approvals. */

import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Place } from '../../shell-terminal/sheet/drawing-place.ts';
import { ask, type PromptAnswer } from '../../shell-terminal/sheet/prompt.ts';
import { approveOrDeny, type Content } from '../../shell-terminal/sheet/prompt-lines.ts';
import { until } from '../waiting/until.ts';

const heard = 800;

/** A terminal without one: what is drawn goes to `drawn`, and keys are sent as readline tells them. */
function placeFor(drawn: (text: string) => void): { readonly place: Place; readonly press: (name: string) => void } {
  const input = Object.assign(new PassThrough(), { setRawMode: () => {} });
  const output = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  output.on('data', chunk => drawn(String(chunk)));
  const place = { input, output, paint: (_: string, text: string) => text } as unknown as Place;
  return { place, press: name => void input.emit('keypress', '', { name }) };
}

const question: Content = {
  id: 'q',
  expiresAt: new Date(Date.now() + 300_000).toISOString(),
  ...approveOrDeny,
  choiceRows: 0,
  problem: null,
  news: null,
  drawn: () => ({ head: ['Drop it?'], body: ['drop table t'], paintRow: row => row, follows: null, help: '' }),
  change: () => {},
};

test.each([
  ['Esc', ['escape'], 'no'],
  ['Enter on Deny', ['enter'], 'no'],
  ['Enter on Approve', ['left', 'enter'], 'yes'],
])('%s answers nothing in the moment that the question comes, and then it does', async (_, keys, kind) => {
  const answers: PromptAnswer[] = [];
  let isDrawn = false;
  const { place, press } = placeFor(text => {
    if (isDrawn || !text.includes('Drop it?')) return;
    isDrawn = true;
    for (const key of keys) press(key);
  });
  const asked = ask({ place, content: () => question, seen: new Set() }).then(answer => void answers.push(answer));
  await until(() => isDrawn, 'it is drawn');
  await wait(heard);
  expect(answers).toEqual([]);
  press(keys.at(-1) ?? '');
  await asked;
  expect(answers).toEqual([{ kind, id: 'q' }]);
});
