/** `sallyport status`. */

import type { StatusResult } from '../../shared/control-commands.ts';
import { command } from '../command.ts';
import { askDaemon } from '../daemon.ts';
import { Ending, exitCodes } from '../ending.ts';
import { pairs } from '../table.ts';
import { locationsOf, print, printJson, printNotes, styled, type Terminal } from '../terminal.ts';
import { shownTime } from '../words.ts';

export const statusCommand = command(
  { words: 'status', arguments: [], about: 'Say whether Sallyport runs, and how', options: {}, json: true },
  async ({ terminal, json }) => {
    const status = await askDaemon(terminal, 'status', {}).catch((error: unknown) => {
      // Scripts get an answer to parse as well as the exit code.
      if (json && error instanceof Ending && error.exitCode === exitCodes.noDaemon) {
        printJson(terminal, { running: false, home: locationsOf(terminal).home });
      }
      throw error;
    });
    if (json) return printJson(terminal, { running: true, ...status });
    print(terminal, ...shown(terminal, status));
    printNotes(terminal, status.notes);
  },
);

function shown(terminal: Terminal, status: StatusResult): string[] {
  const states: Record<StatusResult['state'], string> = {
    starting: styled(terminal, 'yellow', 'is starting'),
    ready: styled(terminal, 'green', 'is running'),
    paused: styled(terminal, 'yellow', 'is running, but paused'),
    off: styled(terminal, 'yellow', 'is running, its server switched off'),
    stopping: styled(terminal, 'yellow', 'is stopping'),
  };
  const entries = pairs(terminal, [
    ['address', status.port === null ? null : `http://127.0.0.1:${status.port}/mcp`],
    ['home', status.home],
    ['process', `${status.pid}, since ${shownTime(status.startedAt)}`],
    ['connections', String(status.connections)],
    ['tokens', String(status.tokens)],
    ['secrets', status.secrets === 'keychain' ? 'in the keychain' : 'in a file of the home'],
  ]);
  return [`Sallyport ${status.version} ${states[status.state]}`, ...entries];
}
