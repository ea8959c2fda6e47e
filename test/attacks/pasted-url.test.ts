/**
 * A pasted connection holds a password. The daemon reads it for the app and keeps nothing of it,
 * wherever it was pasted and whatever it was.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ControlClient, connectToDaemon } from '../../shell-terminal/control-client.ts';
import { type RealHome, realHome } from '../shell-terminal/real-home.ts';

const password = 'hunter2-of-a-pasted-url';
const pasted = [
  `postgres://anna:${password}@db.invalid/shop?pool=5`,
  `host=db.invalid user=anna password=${password}`,
  `psql "postgres://anna:${password}@db.invalid/shop"`,
  // These are refused.
  `postgres://anna:hun#${password}@db.invalid/shop`,
  `postgres://anna:hun/${password}@db.invalid/shop`,
  `postgres://anna@db.invalid/shop?role=${password}`,
  `oracle://anna:${password}@db.invalid/shop`,
  `Server=db.invalid;Database=shop;User Id=anna;Password=${password}`,
  `mysql -h db.invalid -p${password}`,
  password.repeat(3_000),
];
let home: RealHome;
let shell: ControlClient;
beforeAll(async () => {
  home = realHome();
  expect((await home.run(['start'])).code).toBe(0);
  expect((await home.run(['settings', 'set', 'log.level', 'debug'])).code).toBe(0);
  const { secrets } = JSON.parse(readFileSync(join(home.home, 'secrets.json'), 'utf8'));
  const connecting = await connectToDaemon({
    controlSocket: join(home.home, 'control.sock'),
    controlSocketFolder: home.home,
    shell: 'app',
    shellSecret: secrets['shell/secret'],
    proofMilliseconds: 10_000,
  });
  if (connecting.kind !== 'connected') throw new Error(JSON.stringify(connecting));
  shell = connecting.client;
}, 60_000);
afterAll(async () => {
  shell.close();
  await home.clean();
});

/** What was said about it: the names of its fields, or the refusal. */
async function said(params: object): Promise<string> {
  try {
    const { values, ...form } = await shell.ask('connections.form', params as never);
    const { 'password.value': read, ...others } = values;
    return `${read === undefined ? 'no password' : 'a password'}: ${JSON.stringify({ ...form, others })}`;
  } catch (error) {
    return String((error as Error).message);
  }
}

test('no file of the home contains any of it, and no refusal repeats it', async () => {
  const answers = [];
  for (const url of pasted) answers.push(await said({ url, home: '/home/anna' }));
  answers.push(await said({ url: pasted[0], home: 'anna' }), await said({ url: [pasted[0]], home: '/home/anna' }));
  answers.push(await said({ url: pasted[0], home: '/home/anna', [password.slice(0, 7)]: 1 }));
  expect(answers.filter(answer => answer.startsWith('a password'))).toHaveLength(3);
  expect(answers.slice(3).every(answer => answer.endsWith('.'))).toBe(true);
  for (const answer of answers) expect(answer).not.toContain(password);
  // Nor of what was typed into the form.
  const typed = { password: 'stored', 'password.value': password, sshPassword: password };
  const { draft } = await shell.ask('connections.form', { typed, home: '/home/anna' });
  expect(draft?.password).toEqual({ kind: 'stored', value: password });
  const wrong = shell.ask('connections.form', { typed: { ...typed, name: 7 as never }, home: '/home/anna' });
  expect(String(await wrong.catch(error => error))).not.toContain(password);
  expect((await home.run(['connections', 'list', '--json'])).stdout).not.toContain('db.invalid');
  expect((await home.run(['activity', '--json'])).stdout).not.toContain('connections.form');
  expect((await home.run(['stop'])).code).toBe(0);
  const files = readdirSync(home.home, { recursive: true, encoding: 'utf8' })
    .map(name => join(home.home, name))
    .filter(file => statSync(file).isFile());
  expect(files.some(file => file.endsWith('sallyportd.log'))).toBe(true);
  for (const file of files) expect([file, readFileSync(file).includes(password)]).toEqual([file, false]);
}, 60_000);
