/**
 * A shell that an agent wrote: on the control socket it proves itself with the secret from the
 * home's file, as a real one does.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ControlClient, connectToDaemon } from '../../../shell-terminal/control-client.ts';

/**
 * @param home the folder.
 * @param shell what it calls itself.
 */
export async function forgedShell(home: string, shell: string): Promise<ControlClient> {
  const { secrets } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'));
  const controlSocket = join(home, 'control.sock');
  const connecting = await connectToDaemon({
    ...{ controlSocket, controlSocketFolder: dirname(controlSocket), shell },
    shellSecret: secrets['shell/secret'],
    proofMilliseconds: 10_000,
  });
  if (connecting.kind !== 'connected') throw new Error(JSON.stringify(connecting));
  return connecting.client;
}
