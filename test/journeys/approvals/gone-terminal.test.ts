/** A window that takes answers loses its terminal: it ends as at a hangup, and doesn't crash. */

import { afterEach, beforeEach, expect } from '@jest/globals';
import { missingPrograms, needs } from '../../needs.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';

const onTerminal = needs(missingPrograms(['python3'], ''));

/**
 * Opens a terminal, starts its arguments there, closes it once the window is drawn, and prints how
 * they ended.
 */
const closing = `
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
shown = b''
while b'Questions are asked here' not in shown:
    shown += os.read(terminal, 65536)
os.close(terminal)
_, status = os.waitpid(child, 0)
print('signal %d' % os.WTERMSIG(status) if os.WIFSIGNALED(status) else 'exit %d' % os.WEXITSTATUS(status))
`;

let home: RealHome;
beforeEach(() => {
  home = realHome();
});
afterEach(() => home.clean());

onTerminal.test(
  'ended by SIGHUP, each of five times',
  async () => {
    expect((await home.run(['start'])).code).toBe(0);
    for (let time = 0; time < 5; time++) {
      const child = home.spawnProgram('python3', ['-c', closing, executable, 'allow', '--follow']);
      let said = '';
      child.stdout?.on('data', text => {
        said += text;
      });
      await new Promise(resolve => child.once('close', resolve));
      expect(said).toBe('signal 1\n');
    }
  },
  60_000,
);
