/** The last seconds of the five minutes (spec §10, §12): the clock runs out under the eyes of whoever looks, and Approve with it. */

import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { needs } from '../needs.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';
import { missingForWindows, openProgram, type TmuxWindow } from './tmux-window.ts';

const program = fileURLToPath(new URL('short-sheets.mjs', import.meta.url));

needs(missingForWindows()).describe('when the time is up', () => {
  let home: RealHome;
  let window: TmuxWindow | null = null;
  beforeAll(() => {
    home = realHome();
  });
  afterEach(async () => {
    await window?.end();
    window = null;
  });
  afterAll(() => home.clean());

  test.each([
    ['pairing', 'deny', ['End', 'Left'], 'Escape', 'The five minutes have passed: esc closes.'],
    ['question', 'answer no', ['Left'], 'C-c', 'The five minutes have passed.'],
  ])(
    'the sheet of a %s dims Approve by itself; then only %s is left',
    async (which, answered, toApprove, key, why) => {
      window = await openProgram(home, [process.execPath, program, which, '10']);
      await window.shows(/0:\d\d left/);
      await window.press(...toApprove);
      await window.shows('> [ Approve ]');
      const screen = await window.shows(why, 'time is up', '   Approve  ');
      expect(screen).not.toContain('[ Approve ]');
      await window.press('Enter');
      await window.press(key);
      await window.shows(`answered ${answered}`, 'exit 0');
    },
    40_000,
  );
});
