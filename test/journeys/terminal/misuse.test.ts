/**
 * What the built `sallyport` says if it is called wrongly, and its help. It needs no daemon and
 * starts none.
 */

import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { realHome } from '../../shell-terminal/real-home.ts';

const home = realHome(0, 'owner');
afterAll(() => home.clean());
const run = (words: readonly string[]) => home.run(words);

describe('misuse ends with 2, one sentence on stderr, and JSON alone on stdout', () => {
  test.each<[string[], RegExp]>([
    [[], /--help/],
    [['nonsense'], /Unknown command; `sallyport --help`/],
    [['stauts'], /Unknown command\. Did you mean `sallyport status`\?\nUsage: sallyport COMMAND \[options\]/],
    [['conections', 'list'], /Did you mean `sallyport connections`\?\nUsage: sallyport COMMAND/],
    [['--json', 'stop', 'it'], /stop takes no argument\.\nUsage: sallyport stop/],
    [['passphrase'], /Missing subcommand\. Available: set, confirm, reset, off\.\nUsage: sallyport passphrase COMMAND/],
    [
      ['connections', 'frobnicate'],
      /Available: list, show, add, import, set, test, trust, role, remove.*\nUsage: sallyport connections COMMAND/,
    ],
    [['connections', 'tets', 'x'], /Did you mean `sallyport connections test`\?/],
    [['connections', 'set', 'x', '--external-client', 'read-only'], /Did you mean --external-clients\?\nUsage: /],
    [['service', 'x'], /Available: install, status, uninstall/],
    [['connections', '--tags'], /sallyport connections list has no option --tags/],
    [['tokens', 'revok'], /Did you mean `sallyport tokens revoke`\?\nUsage: sallyport tokens COMMAND/],
    [['settings', 'set'], /KEY and VALUE are missing/],
    [['settings', 'set', 'port'], /: VALUE is missing/],
    [['query', 'shop', 'select', '1'], /Only NAME and SQL are expected; quote/],
    [['connect', 'claude', 'desktop'], /Only CLIENT is expected; quote/],
    [['connect', '--write'], /the name of a client, or --all\./],
    [['connect', 'all', '--write'], /use --all with --write/],
    [['add', 'postgres://u:hunter2@h/d'], /Did you mean `sallyport connections add` or `sallyport boxes add`\?/],
    [['mint'], /Did you mean `sallyport tokens mint`\?/],
    [['show'], /`sallyport connections show`, `sallyport policy show` or `sallyport tokens show`\?/],
    [['postgres://u:hunter2@h/d'], /Did you mean `sallyport connections add URL`\?/],
    [['sallyport://pair'], /Did you mean `sallyport open LINK`\?/],
    [['passphrase', 'set', '--passphrase', 'hunter2'], /you are asked for it on the terminal/],
    [['history', '-p'], /has no option -p/],
    [['logs', '--limit', 'many'], /--limit must be a whole number/],
    [['completion', 'tcsh'], /SHELL must be one of bash, zsh, fish/],
    [['classify', 'oracle'], /ENGINE must be one of postgres, mysql, mariadb, sqlite/],
    [['tokens', 'mint'], /--name NAME is needed/],
    [['tokens', 'mint', '--name'], /--name needs a value/],
    [['tokens', 'mint', '--name', '--json'], /--name needs a value/],
    [['tokens', 'mint', '--name', 'x', '--scope', 'root'], /--scope must be one of read-only, read-write, full-access/],
    [['tokens', 'mint', '--name', 'x', '--expires', '2'], /--expires must be one of/],
    [['tokens', 'mint', '--name', 'x', '--connections', 'a,,b'], /--connections/],
    [['tokens', 'revoke'], /ID is missing\.\nUsage: sallyport tokens revoke ID/],
    [['tokens', 'revoke', 'a', 'b'], /Only ID is expected.*\nUsage: sallyport tokens revoke ID/],
    [['connections', 'add', 'a.db'], /--name NAME is needed/],
    [['connections', 'add', '--name', 'x'], /connections add URL/],
    [['connections', 'add', 'a.db', '--name', 'x', '--force'], /no option --force/],
    [['connections', 'add', 'a.db', '--name', 'x', '--json=yes'], /--json takes no value/],
    [['connections', 'add', 'ecto://u:hunter2@h/d', '--name', 'x'], /not a URL that Sallyport knows/],
    [['connections', 'add', 'postgres://u:hunter2@h/d', '--name', 'x', '--password', 'hunter2'], /--password-stdin/],
    [['connections', 'add', 'postgres://u:hunter2@h/d', '--name', 'x', '--password-stdin'], /from one place/],
    [['connections', 'set', 'x', '--password-stdin', '--key-passphrase-stdin'], /both read stdin/],
    [['connections', 'add', 'postgres://h/d?tls=require', '--name', 'x', '--tls', 'prefer'], /both give a TLS mode/],
    [['connections', 'add', 'a.db', '--name', 'x', '--for', '1h'], /needs --external-clients read-write/],
    [['connections', 'add', 'a.db', '--name', 'x', '--external-clients', 'read-only', '--for', '1h'], /--for needs/],
    [['connections', 'add', 'a.db', '--name', 'x', '--external-clients', 'read-write', '--for', 'soon'], /duration/],
    [
      ['connections', 'add', 'a.db', '--name', 'x', '--external-clients', 'toString'],
      /--external-clients must be one of/,
    ],
    [['connections', 'add', 'a.db', '--name', 'x', '--timeout', '1.5'], /whole number/],
    [['connections', 'set', 'x'], /Nothing to change/],
    [['connections', 'set', 'x', '--no-password', '--password-command', 'c'], /not both/],
    [['start', 'now'], /sallyport start/],
    [['init'], /--unattended FILE is needed/],
  ])('%j', async (words, sentence) => {
    const { code, stdout, stderr } = await run(words);
    const isJson = words.includes('--json');
    const told = { error: { code: 'misuse', message: expect.any(String) } };
    expect([code, isJson ? JSON.parse(stdout) : stdout]).toEqual([2, isJson ? told : '']);
    expect(stderr).toMatch(/^sallyport: [^\n]+\n(?:Usage: sallyport [^\n]+\n)?$/);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('hunter2');
  });
});

describe('help', () => {
  test.each([
    [['--help']],
    [['help']],
    [['-h']],
    [['connections', '--help']],
    [['connections', 'set', '--help']],
    [['help', 'settings', 'reset']],
    [['help', 'tokens']],
    [['completion', '--help']],
    [['tokens', 'mint', '-h']],
  ])('%j fits 80 columns', async words => {
    const { code, stdout, stderr } = await run(words);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('Usage: sallyport');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('names each command and each exit code', async () => {
    const { stdout } = await run(['--help']);
    for (const words of ['start', 'stop', 'status', 'connections add URL', 'tokens mint', 'tokens delete ID', 'demo']) {
      expect(stdout).toContain(`\n  ${words} `);
    }
    expect(stdout).toContain('0 done, 1 refused or failed, 2 misuse, 69');
  });

  test.each(['--version', '-v', '-V'])('%s', async word => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    expect(await run([word])).toEqual({ code: 0, stdout: `sallyport ${version}\n`, stderr: '' });
  });
});

test('none of these made a home', () => {
  expect(existsSync(home.home)).toBe(false);
});
