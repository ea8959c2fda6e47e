/** Commands of `sallyport` run in this process, as main.ts runs them: where many are needed, and starting a program is not what is tested. */

import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { TerminalCommand } from '../../shell-terminal/command.ts';
import { Ending, unforeseen } from '../../shell-terminal/ending.ts';
import { remark, type Terminal } from '../../shell-terminal/terminal.ts';
import type { Ran, RealHome } from './real-home.ts';

/** @param typed the words behind those of the command itself. */
export async function runHere(home: RealHome, command: TerminalCommand, typed: readonly string[]): Promise<Ran> {
  const stdout = new PassThrough({ encoding: 'utf8' });
  const stderr = new PassThrough({ encoding: 'utf8' });
  const terminal = {
    ...{ script: 'sallyport', cwd: join(home.folder, 'work'), userHome: home.folder },
    environment: { HOME: home.folder, SALLYPORT_HOME: home.home },
    ...{ stdin: new PassThrough().end(), stdout, stderr },
  } as unknown as Terminal;
  const code = await command.run(terminal, typed).then(
    () => 0,
    error => {
      const ending = error instanceof Ending ? error : unforeseen(error);
      remark(terminal, `sallyport: ${ending.message}`);
      return ending.exitCode;
    },
  );
  return { code, stdout: stdout.read() ?? '', stderr: stderr.read() ?? '' };
}
