/**
 * The terminal leaves the confirmation of a privilege increase to Sallyport.app if the daemon says
 * so (spec §11): it waits, says that it waits, and accepts a denial.
 */

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ControlClient } from '../../shell-terminal/control-client.ts';
import { withConfirmation } from '../../shell-terminal/owner-passphrase.ts';
import { shellOf } from '../shells/asking.ts';
import { type DaemonInProcess, startDaemonInProcess } from '../shells/daemon-in-process.ts';
import { askedIn } from '../shells/desk-pushes.ts';

let daemon: DaemonInProcess;
let app: ControlClient;
let terminal: ControlClient;
let told: string[];
let answer: 'yes' | 'no';
beforeEach(async () => {
  daemon = await startDaemonInProcess({ platform: 'darwin', backend: () => 'keychain' });
  app = await shellOf(daemon, 'app');
  app.onNotification(told => {
    for (const { id } of askedIn(told)) void app.ask('desk.decide', { ids: [id], answer });
  });
  told = [];
  terminal = withConfirmation(await shellOf(daemon), sentence => told.push(sentence));
});
afterEach(async () => {
  terminal.close();
  app.close();
  await daemon.end();
});

test('an approval there counts here', async () => {
  answer = 'yes';
  expect(await terminal.ask('resume', {})).toEqual({ paused: false });
  expect(told).toEqual(['Waiting for your answer in Sallyport.app; Ctrl-C gives up.']);
  // Nobody is asked about a request that increases no privilege.
  await terminal.ask('pause', {});
  expect(told).toHaveLength(1);
});

test('a denial is reported, and nothing is asked again', async () => {
  answer = 'no';
  await expect(terminal.ask('resume', {})).rejects.toThrow(/the answer in Sallyport\.app was no\.$/);
  expect(told).toHaveLength(1);
});
