/**
 * Commands that people know from other tools: restart, logs, settings reset, tokens by name,
 * service status.
 */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { until } from '../../waiting/until.ts';

let home: RealHome;
beforeAll(async () => {
  home = realHome();
  expect((await home.run(['start'])).code).toBe(0);
}, 30_000);
afterAll(() => home.clean());

test('restart runs another daemon, and starts one if none runs', async () => {
  const [before] = home.daemons();
  expect(await home.run(['restart'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Sallyport is running/),
  });
  const [after] = home.daemons();
  expect(after).not.toBe(before);
  const stopped = await home.run(['stop']);
  expect(stopped.stdout).toBe(
    "Sallyport has stopped. A client's next call starts it again (`--until-login` prevents that).\n",
  );
  expect((await home.run(['restart', '--json'])).code).toBe(0);
  expect(home.daemons()).toHaveLength(1);
}, 30_000);

test('a flag may stand before its command', async () => {
  const { stdout } = await home.run(['--json', 'status']);
  expect(JSON.parse(stdout)).toMatchObject({ running: true });
});

test('a setting accepts on and off, and can be reset to its default', async () => {
  expect(await home.here(['settings', 'set', 'enabled', 'off'])).toMatchObject({
    stdout: 'enabled is false.\n',
  });
  expect((await home.here(['settings', 'reset', 'enabled'])).stdout).toBe('enabled is true.\n');
  const unknown = await home.run(['settings', 'reset', 'prot']);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringMatching(/^sallyport: There is no setting "prot"/) });
});

test('a refusal repeats the typed text unchanged', async () => {
  const added = ['connections', 'add', 'postgres://u@h/d', '--name', 'S'];
  for (const [option, value] of [
    ['--timeout', '0'],
    ['--time-zone', 'Mars'],
    ['--color', 'none'],
    ['--tag', 'x'.repeat(33)],
    ['--ca', `/${'x'.repeat(4_096)}`],
    ['--name', ''],
  ] as const)
    expect((await home.here([...added, option, value])).stderr).toMatch(new RegExp(`^sallyport: ${option}: `));
});

test('a token is found by its name, if only one has it', async () => {
  const { id } = await home.json<{ id: string }>(['tokens', 'mint', '--name', 'laptop']);
  const { stdout } = await home.here(['tokens', 'show', 'laptop']);
  expect(stdout).toMatch(new RegExp(`^laptop\\n.*${id}`));
  expect(stdout).toMatch(/scope +read-only\n/);
  await home.json(['tokens', 'mint', '--name', 'laptop']);
  expect((await home.here(['tokens', 'revoke', 'laptop'])).stderr).toContain(
    'Several tokens are called "laptop"; use the id (`sallyport tokens list`).',
  );
  expect((await home.here(['tokens', 'revoke', id])).stdout).toBe('Revoked laptop.\n');
  expect((await home.here(['tokens', 'delete', 'nobody'])).stderr).toContain('no token with that id or name');
});

test('logs prints the last lines, and follows', async () => {
  const { stdout } = await home.run(['logs', '--limit', '2']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('level');
  const following = home.spawn(['logs', '--follow', '--limit', '1']);
  let shown = '';
  following.stdout?.on('data', text => {
    shown += text;
  });
  await until(() => shown.includes('\n'), 'the last line is shown');
  const before = shown.length;
  await home.run(['restart']);
  await until(() => shown.length > before, 'what is new is shown');
  following.kill('SIGINT');
}, 30_000);

test('service status says that nothing starts it', async () => {
  const { stdout } = await home.here(['service', 'status']);
  expect(stdout).toMatch(/^Sallyport is running \(process \d+\)\. Nothing starts it when you log in; .*\n$/);
});
