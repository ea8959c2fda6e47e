/**
 * The last seconds of the five minutes (spec §10, §12): the person sees the clock run out, and then
 * Approve stops working.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../../needs.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { missingForWindows, openProgram, type TmuxWindow } from '../terminal/tmux-window.ts';

const program = fileURLToPath(new URL('short-sheets.mjs', import.meta.url));

needs(missingForWindows()).describe('when the time is up', () => {
  let home: RealHome;
  const windows: TmuxWindow[] = [];
  beforeAll(() => {
    home = realHome();
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) await window.end();
  });
  afterAll(() => home.clean());

  // Both at once, so the seconds pass for both.
  test('the sheets of a pairing and of a question dim Approve by themselves; then only the other answer is left', async () => {
    await Promise.all([
      runsOut('pairing', 'no', ['End', 'Left'], 'Escape', 'Its time has passed.'),
      runsOut('question', 'no', ['Left'], 'C-c', 'Its time has passed.'),
    ]);
  }, 40_000);

  async function runsOut(which: string, answered: string, toApprove: readonly string[], key: string, why: string) {
    const window = await openProgram(home, [process.execPath, program, which, '10']);
    windows.push(window);
    await window.shows(/0:\d\d left/);
    await window.press(...toApprove);
    await window.shows('> [ Approve ]');
    const screen = await window.shows(why, 'time is up', '   Approve  ');
    expect(screen).not.toContain('[ Approve ]');
    await window.press('Enter');
    // Its keys count again a moment after Approve was dimmed.
    await wait(900);
    await window.press(key);
    await window.shows(`answered ${answered}`, 'exit 0');
  }
});
