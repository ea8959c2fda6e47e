/**
 * Tests a connection for a person. Shows each host key of an SSH server that isn't confirmed yet,
 * so the person can confirm it.
 */

import type { ConnectionTestResult } from '../shared/control-commands.ts';
import { shownText } from '../shared/shown-text.ts';
import { askDaemon } from './daemon.ts';
import { typedYes } from './setup/typed.ts';
import { print, say, type Terminal } from './terminal.ts';
import { showWaiting } from './waiting-line.ts';

/** A tunnel has at most this many hops. */
const mostKeys = 10;

const keyHelp =
  'A yes trusts this key from now on. A no leaves the connection unreached: somebody between you and the server would show another key.';

export async function testConnection(terminal: Terminal, connection: string): Promise<ConnectionTestResult> {
  let hostKey: string | undefined;
  for (let asked = 0; ; asked++) {
    const tested = await showWaiting(
      terminal,
      `Connecting to ${connection}`,
      askDaemon(terminal, 'connections.test', { connection, ...(hostKey !== undefined && { hostKey }) }),
    );
    if (tested.reachable || tested.hostKey === undefined || asked === mostKeys) return tested;
    const { host, type, fingerprint } = tested.hostKey;
    say(terminal, `The SSH server ${host} is not known yet. Its ${type} host key has the fingerprint`);
    print(terminal, `  ${shownText(fingerprint)}`);
    say(terminal, "Compare it with what the server's administrator says.");
    if (!(await typedYes(terminal, 'Is that its key?', false, keyHelp))) return tested;
    hostKey = fingerprint;
  }
}
