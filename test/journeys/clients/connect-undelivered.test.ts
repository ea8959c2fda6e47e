/**
 * A token was made, couldn't be written to the client's file, and the daemon is gone before it is
 * deleted.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CliError, failed } from '../../../shell-terminal/cli-error.ts';
import { orForgotten } from '../../../shell-terminal/connect/http-token.ts';
import { type ControlClient, connectToDaemon } from '../../../shell-terminal/control-client.ts';
import { signalEach } from '../../servers/daemons.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';

let home: RealHome;
let shell: ControlClient;

beforeEach(async () => {
  home = realHome();
  expect((await home.run(['start'])).code).toBe(0);
  const { secrets } = JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8'));
  const connecting = await connectToDaemon({
    controlSocket: join(home.home, 'control.sock'),
    controlSocketFolder: home.home,
    shell: 'terminal',
    shellSecret: secrets['shell/secret'],
    proofMilliseconds: 10_000,
  });
  if (connecting.kind !== 'connected') throw new Error(JSON.stringify(connecting));
  shell = connecting.client;
}, 30_000);
afterEach(async () => {
  shell.close();
  await home.clean();
});

async function made() {
  const { id, token, expiresAt } = await shell.ask('tokens.mint', {
    name: 'HTTP client',
    scope: 'readOnly',
    connections: 'all',
    expires: 1,
    confirmInClient: false,
  });
  return { id, text: token, expiresAt };
}

const notWritten = () => failed('/x/mcp.json could not be written (ENOSPC); it is as it was.');

test('it is deleted, and the error is about the file', async () => {
  const token = await made();
  const writing = orForgotten(shell, token, () => {
    throw notWritten();
  });
  await expect(writing).rejects.toThrow(notWritten());
  expect(await shell.ask('tokens.list', {})).toEqual({ tokens: [] });
}, 30_000);

test('if that fails as well, the message has its id and the command to delete it', async () => {
  const token = await made();
  const writing = orForgotten(shell, token, () => {
    signalEach(home.daemons(), 'SIGKILL');
    throw notWritten();
  });
  const told: unknown = await writing.catch((error: unknown) => error);
  expect(told).toBeInstanceOf(CliError);
  const sentence = told instanceof CliError ? told.message : '';
  expect(sentence).toContain(notWritten().message);
  expect(sentence).toContain(`run \`sallyport tokens delete ${token.id}\``);
  expect(sentence).not.toContain(token.text);

  expect((await home.run(['start'])).code).toBe(0);
  expect((await home.run(['tokens', 'delete', token.id])).code).toBe(0);
  expect(await home.json(['tokens', 'list'])).toEqual([]);
}, 60_000);
