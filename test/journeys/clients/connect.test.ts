/**
 * The built `sallyport connect` on real files of each client: printed, written, read back, refused
 * (spec §16).
 */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'jsonc-parser';
import { parse as parseYaml } from 'yaml';
import { needs, needsRoot } from '../../needs.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { choosing, missingForTyping, passphrasePrompt, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';

const bridge = join(dirname(executable), 'sallyport-mcp');

let home: RealHome;
beforeEach(() => {
  home = realHome();
});
afterEach(() => home.clean());

const at = (path: string): string => join(home.folder, path);
const textOf = (path: string): string => readFileSync(at(path), 'utf8');
const modeOf = (path: string): string => (statSync(at(path)).mode & 0o777).toString(8);
function put(path: string, text: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
  chmodSync(at(path), mode);
}
const environment = () => ({ SALLYPORT_HOME: home.home });
test('the entry names a home only if it isn’t the default one', async () => {
  expect(JSON.parse((await builtConnect('cursor')).stdout).mcpServers.sallyport.env).toEqual(environment());
  const usual = await home.run(['connect', 'cursor'], { environment: { SALLYPORT_HOME: '' } });
  expect(usual.stdout).not.toContain('SALLYPORT_HOME');
});
test('an entry that leads to another home is fixed, and keeps the rest of its environment', async () => {
  put('.cursor/mcp.json', JSON.stringify({ mcpServers: { sallyport: { command: bridge, env: { A: 'b' } } } }));
  expect((await connect('cursor', '--write')).stdout).toContain('its env changed');
  expect(inJson('mcpServers')(textOf('.cursor/mcp.json')).env).toEqual({ A: 'b', ...environment() });
});
const connect = (...words: string[]) => home.here(['connect', ...words]);
const builtConnect = (...words: string[]) => home.run(['connect', ...words]);
const inUsualHome = (...words: string[]) => home.run(['connect', ...words], { environment: { SALLYPORT_HOME: '' } });
const around = (path: string): string[] => readdirSync(dirname(at(path))).sort();

interface Client {
  readonly client: string;
  readonly path: string;
  readonly before: string;
  /** Finds the entry in the parsed file. */
  readonly entry: (text: string) => unknown;
  readonly expected: object;
  /** The key if it isn't `env`. */
  readonly environmentKey?: string;
}

const inJson = (key: string) => (text: string) => parse(text)[key].sallyport;
const chat = `{
  // mine
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files"] } // keep
  },
  "other":   true
}
`;
/** Parses the two lines of it. */
function tableIn(text: string): unknown {
  const [, command = '', home = ''] =
    /^\[mcp_servers\.sallyport\]\ncommand = (".*")\nenv = \{ SALLYPORT_HOME = (".*") \}$/m.exec(text) ?? [];
  return { command: JSON.parse(command), env: { SALLYPORT_HOME: JSON.parse(home) } };
}
const agentTimeoutSeconds = 300;
const clients: readonly Client[] = [
  {
    client: 'claude-desktop',
    path: '.config/Claude/claude_desktop_config.json',
    before: '{\n\t"globalShortcut": "",\n\t"mcpServers": {}\n}',
    entry: inJson('mcpServers'),
    expected: { command: bridge },
  },
  {
    client: 'claude-code',
    path: '.claude.json',
    before: '{"numStartups":41,"projects":{"/x":{"mcpServers":{"a":{"command":"b"}}}},"userID":"12345678901234567890"}',
    entry: inJson('mcpServers'),
    expected: { type: 'stdio', command: bridge, args: [], env: {} },
  },
  {
    client: 'cursor',
    path: '.cursor/mcp.json',
    before: chat,
    entry: inJson('mcpServers'),
    expected: { command: bridge },
  },
  {
    client: 'vscode',
    path: '.config/Code/User/mcp.json',
    before: '{\r\n\t"inputs": [], // none\r\n\t"servers": {\r\n\t\t"a": {"url": "http://x",},\r\n\t},\r\n}\r\n',
    entry: inJson('servers'),
    expected: { type: 'stdio', command: bridge },
  },
  {
    client: 'continue',
    path: '.continue/mcpServers/sallyport.yaml',
    before: 'name: Mine # and nobody else\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: a\n    command: b\n',
    entry: text => parseYaml(text).mcpServers.find(({ name }: { name: string }) => name === 'sallyport'),
    expected: { name: 'sallyport', type: 'stdio', command: bridge },
  },
  {
    client: 'zed',
    path: '.config/zed/settings.json',
    before:
      '// Zed settings\n//\n// For information on how to configure Zed\n{\n  "ui_font_size": 16,\n  "theme": {\n    "mode": "system",\n  },\n}\n',
    entry: inJson('context_servers'),
    expected: { command: bridge, args: [] },
  },
  {
    client: 'goose',
    path: '.config/goose/config.yaml',
    before: '# goose\nGOOSE_PROVIDER: anthropic\nextensions:\n  developer:\n    enabled: true\n\n# end\nA: [1,  2]\n',
    entry: text => parseYaml(text).extensions.sallyport,
    expected: {
      name: 'sallyport',
      type: 'stdio',
      cmd: bridge,
      args: [],
      enabled: true,
      timeout: agentTimeoutSeconds,
    },
    environmentKey: 'envs',
  },
  {
    client: 'windsurf',
    path: '.codeium/windsurf/mcp_config.json',
    before: '{}',
    entry: inJson('mcpServers'),
    expected: { command: bridge },
  },
  {
    client: 'cline',
    path: '.cline/data/settings/cline_mcp_settings.json',
    before: '\uFEFF{\n  "mcpServers": {\n  }\n}\n',
    entry: text => inJson('mcpServers')(text.replace('\uFEFF', '')),
    expected: { command: bridge },
  },
  {
    client: 'codex',
    path: '.codex/config.toml',
    before:
      '# mine\nmodel = "x" # keep\n\n[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "[mcp_servers.sallyport]"]\n',
    entry: tableIn,
    expected: { command: bridge },
  },
  {
    client: 'gemini',
    path: '.gemini/settings.json',
    before: chat,
    entry: inJson('mcpServers'),
    expected: { command: bridge },
  },
  {
    client: 'jetbrains',
    path: '.junie/mcp/mcp.json',
    before: chat,
    entry: inJson('mcpServers'),
    expected: { command: bridge },
  },
  {
    client: 'opencode',
    path: '.config/opencode/opencode.json',
    before: '{\n  "$schema": "https://opencode.ai/config.json", // keep\n  "theme": "system"\n}\n',
    entry: inJson('mcp'),
    expected: { type: 'local', command: [bridge], enabled: true },
    environmentKey: 'environment',
  },
  {
    client: 'amp',
    path: '.config/amp/settings.json',
    before: '{\n  "amp.notifications.enabled": true\n}\n',
    entry: inJson('amp.mcpServers'),
    expected: { command: bridge },
  },
  {
    client: 'lmstudio',
    path: '.lmstudio/mcp.json',
    before: chat,
    entry: inJson('mcpServers'),
    expected: { command: bridge },
  },
];

describe.each(clients)('$client', ({ client, path, before, entry, expected, environmentKey = 'env' }) => {
  test('the text to paste equals the one in a file of its own', async () => {
    const printed = await builtConnect(client);
    expect(printed.code).toBe(0);
    expect(printed.stderr).toContain(at(path));
    expect(printed.stdout).toContain(bridge);
    expect(existsSync(at(path))).toBe(false);
    const written = await builtConnect(client, '--write');
    expect(written).toMatchObject({ code: 0, stdout: expect.stringContaining(`made ${at(path)}`), stderr: '' });
    expect(modeOf(path)).toBe('600');
    expect(entry(textOf(path))).toEqual({ ...expected, [environmentKey]: environment() });
    if (client !== 'claude-code') expect(textOf(path)).toBe(printed.stdout);
    expect(around(path).filter(name => name.includes('sallyport.') || name.includes('.tmp'))).toEqual(
      client === 'continue' ? ['sallyport.yaml'] : [],
    );
  });

  test('merged into an existing file, once; existing entries stay beside it; another path is changed', async () => {
    put(path, before, 0o640);
    const first = await connect(client, '--write');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const backup = `${path}.before-sallyport`;
    expect(first.stdout).toContain(at(backup));
    expect([textOf(backup), modeOf(backup), modeOf(path)]).toEqual([before, '640', '640']);
    const after = textOf(path);
    expect(entry(after)).toEqual({ ...expected, [environmentKey]: environment() });
    // Only blanks in empty braces were lost; another test compares each layout byte by byte.
    let read = 0;
    for (const word of before.split(/\s+|(?<=[{},])|(?=\})/)) {
      const found = after.indexOf(word, read);
      expect([word, found >= read]).toEqual([word, true]);
      read = found + word.length;
    }
    const { mtimeMs, ino } = statSync(at(path));
    const second = await connect(client, '--write');
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('has Sallyport already'),
      stderr: '',
    });
    expect(statSync(at(path))).toMatchObject({ mtimeMs, ino });
    expect(around(path).filter(name => name !== 'work' && name !== 'home')).toHaveLength(2);

    const elsewhere = after.replace(bridge, '/old place/sallyport-mcp');
    put(path, elsewhere, 0o640);
    const third = await connect(client, '--write', '--json');
    expect(JSON.parse(third.stdout)).toMatchObject({
      change: 'updated',
      was: '/old place/sallyport-mcp',
      file: at(path),
      backup: at(`${backup}-2`),
    });
    expect(textOf(path)).toBe(after);
    expect([textOf(backup), textOf(`${backup}-2`)]).toEqual([before, elsewhere]);

    const removed = await connect(client, '--remove');
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('Removed Sallyport from') });
    expect(textOf(path)).not.toContain(bridge);
    expect((await connect(client, '--remove')).stdout).toContain('has no entry for Sallyport');
  });
});

test.each([
  ['zed', '.config/zed/settings.json', '{ "context_servers": {}, "vim_mode": true }'],
  ['lmstudio', '.lmstudio/mcp.json', '{\n  "mcpServers": {}\n}'],
  ['cursor', '.cursor/mcp.json', '{\n  "mcpServers": {\n  }\n}\n'],
  ['gemini', '.gemini/settings.json', '{\n\t"mcp": { "allowed": ["github"] },\n\t"mcpServers": {}\n}\n'],
  ['codex', '.codex/config.toml', 'model = "x"\n\n[mcp_servers]\n'],
  ['goose', '.config/goose/config.yaml', 'A: 1\nextensions: {}\n'],
  ['goose', '.config/goose/config.yaml', 'extensions:\nA: [1,  2] # mine\n'],
  ['cursor', '.cursor/mcp.json', ''],
  // Without one of its own, the map goes with the entry.
  ['cursor', '.cursor/mcp.json', '{\n  "theme": "dark"\n}\n'],
])('%s: removing leaves the person’s own empty map, to the byte', async (client, path, before) => {
  put(path, before);
  expect((await inUsualHome(client, '--write')).code).toBe(0);
  expect(textOf(path)).toContain(bridge);
  expect((await inUsualHome(client, '--remove')).code).toBe(0);
  expect(textOf(path)).toBe(before);
});

test.each([
  ['goose', 'a blank in a value', 'extensions:\nA: my agent\n', 'A: my agent', 'A: myagent'],
  ['goose', 'the indentation', 'extensions:\nA:\n  b: 1\n', '  b: 1', '    b: 1'],
  ['goose', 'a map of their own', 'B: {}\nextensions:\n', 'B: {}\n', 'B:\n'],
  ['goose', 'a list in place of a map', 'extensions: {}\nB: {}\n', 'B: {}', 'B: []'],
  ['cursor', 'the blanks of a file', '{ "theme": "dark" }\n', '"theme": "dark"', '"theme":  "dark"'],
  ['cursor', 'a blank in a value', '{ "theme": "my own", "mcpServers": {} }\n', 'my own', 'myown'],
  ['codex', 'a blank in a comment', '# my own\n[mcp_servers]\n', '# my own', '# myown'],
])('%s: what the person changed since stays at removing: %s', async (client, _, before, was, now) => {
  const path = { goose: '.config/goose/config.yaml', cursor: '.cursor/mcp.json', codex: '.codex/config.toml' }[client];
  put(path as string, before);
  await connect(client, '--write');
  const written = textOf(path as string);
  expect(written).toContain(bridge);
  const theirs = written.replace(was, now);
  expect(theirs).not.toBe(written);
  put(path as string, theirs);
  expect((await connect(client, '--remove')).code).toBe(0);
  const left = textOf(path as string);
  expect(left).not.toContain(bridge);
  expect(left).toContain(now);
});

test('an entry that leads here by a link exists already', async () => {
  symlinkSync(bridge, at('my-bridge'));
  put('.cursor/mcp.json', JSON.stringify({ mcpServers: { sallyport: { command: at('my-bridge') } } }));
  expect((await inUsualHome('cursor', '--write')).stdout).toContain('has Sallyport already');
});

describe('other settings of an entry are named, without their values', () => {
  const planted = {
    command: bridge,
    args: [],
    timeout: 60,
    cwd: '/tmp/x',
    envFile: '/tmp/agent.env',
    env: { NODE_OPTIONS: '--require /tmp/agent.js', SALLYPORT_HOME: '/tmp/agent', '\u202eX\n': 'secret' },
  };
  const entry = (server: object) => put('.cursor/mcp.json', JSON.stringify({ mcpServers: { sallyport: server } }));
  const names = 'cwd, envFile, env.NODE_OPTIONS, env.SALLYPORT_HOME, env.\\u{202e}X\\u{a}';

  test('if it exists already', async () => {
    entry(planted);
    const { code, stdout } = await inUsualHome('cursor', '--write');
    expect([code, stdout]).toEqual([0, expect.stringContaining('has Sallyport already')]);
    expect(stdout).toContain(`! The entry also sets ${names}. Sallyport did not add that`);
    expect(stdout).not.toMatch(/agent|secret/);
    const json = JSON.parse((await inUsualHome('cursor', '--write', '--json')).stdout);
    expect(json.alsoSets.slice(0, 4)).toEqual(names.split(', ').slice(0, 4));
  });

  test('if the command was changed, the rest stays', async () => {
    entry({ ...planted, command: '/old/sallyport-mcp' });
    expect((await inUsualHome('cursor', '--write')).stdout).toContain(names);
    entry({ command: bridge, args: ['--inspect'] });
    expect((await inUsualHome('cursor', '--write')).stdout).toContain('had Sallyport already; its args changed in');
  });

  test('a second command beside the first', async () => {
    entry({ command: bridge, cmd: '/tmp/agent' });
    expect((await inUsualHome('cursor', '--write')).stdout).toContain('also sets cmd.');
  });

  test('our own settings, a switch and a timeout need no mention', async () => {
    entry({ type: 'stdio', command: bridge, args: [], env: {}, timeout: 9, disabled: false });
    expect((await inUsualHome('cursor', '--write')).stdout).not.toContain('also sets');
    entry({ command: '/old/sallyport-mcp' });
    expect((await inUsualHome('cursor', '--write')).stdout).not.toContain('also sets');
  });
});

test('a project’s own file; a client by another name, in any case', async () => {
  const claude = await connect('Claude', '--project');
  expect(claude.stderr).toContain('claude is Claude Code');
  expect(claude.stdout).toContain(join(home.folder, 'work', '.mcp.json'));
  expect((await connect('VS Code', '--project')).stdout).toContain(join(home.folder, 'work', '.vscode', 'mcp.json'));
  expect((await connect('Junie', '--project', '--remove')).stdout).toContain('has no entry');
  expect(await connect('windsurf', '--project')).toMatchObject({ code: 2, stderr: expect.stringContaining('no file') });
});

test('any client with a JSON file: under its key, which may be a path', async () => {
  put('any.json', '{"servers": {"a": 1}}\n');
  const file = ['--file', at('any.json')];
  expect((await connect('json', '--write', ...file, '--under', 'tools/mcp')).code).toBe(0);
  const added = { command: bridge, env: environment() };
  expect(JSON.parse(textOf('any.json'))).toEqual({ servers: { a: 1 }, tools: { mcp: { sallyport: added } } });
  expect((await connect('json', '--remove', ...file, '--under', 'tools/mcp')).code).toBe(0);
  expect(JSON.parse(textOf('any.json')).servers).toEqual({ a: 1 });
  expect(JSON.parse((await connect('json')).stdout)).toEqual({ mcpServers: { sallyport: added } });
  const shown = await connect('json', ...file, '--under', 'tools/mcp');
  expect(JSON.parse(shown.stdout)).toEqual({ tools: { mcp: { sallyport: added } } });
  expect(shown.stderr).toContain(`\`sallyport connect json --file ${at('any.json')} --under tools/mcp --write\``);
  for (const words of [['--write'], ['--under', 'a//b'], ['--project'], ['--take', 'x']])
    expect((await connect('json', ...words)).code).toBe(2);
  expect((await connect('cursor', '--under', 'x')).code).toBe(2);
});

test('the entry names the folder by which it was called, unless anybody may write there', async () => {
  mkdirSync(at('bin'));
  for (const name of ['sallyport', 'sallyport-mcp']) symlinkSync(join(dirname(executable), name), at(`bin/${name}`));
  const called = (): unknown => {
    const env = { PATH: process.env.PATH ?? '', HOME: home.folder };
    const stdout = execFileSync(at('bin/sallyport'), ['connect', 'cursor', '--json'], { encoding: 'utf8', env });
    return JSON.parse(stdout).entry.command;
  };
  expect(called()).toBe(at('bin/sallyport-mcp'));
  put('.cursor/mcp.json', JSON.stringify({ mcpServers: { sallyport: { command: at('bin/sallyport-mcp') } } }));
  expect((await inUsualHome('cursor', '--write')).stdout).toContain('has Sallyport already');
  chmodSync(at('bin'), 0o777);
  expect(called()).toBe(bridge);
});

test('in a folder that is gone it is written as well, and --take goes with no other change', async () => {
  const env = { PATH: `${dirname(executable)}:${process.env.PATH}`, HOME: home.folder, SALLYPORT_HOME: home.home };
  const typed = `mkdir gone && cd gone && rmdir ../gone && exec sallyport connect windsurf --write`;
  const said = execFileSync('sh', ['-c', typed], { encoding: 'utf8', env, cwd: home.folder });
  expect(said).toContain('Windsurf');
  const path = at('.codeium/windsurf/mcp_config.json');
  for (const change of ['--write', '--remove'])
    expect((await connect('windsurf', change, '--file', path, '--take', 'x')).code).toBe(2);
});

test('what the client’s own list shuts out is told', async () => {
  put('.gemini/settings.json', '{"mcp": {"allowed": ["files"]}}');
  expect((await inUsualHome('gemini', '--write')).stdout).toContain(
    'loads only the servers in mcp.allowed; add "sallyport"',
  );
  expect((await home.run(['doctor'], { environment: { SALLYPORT_HOME: '' } })).stdout).toContain('mcp.allowed');
});

test('several at once make one entry of it', async () => {
  put('.cursor/mcp.json', chat);
  const ran = await Promise.all([1, 2, 3, 4].map(() => builtConnect('cursor', '--write')));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(Object.keys(parse(textOf('.cursor/mcp.json')).mcpServers)).toEqual(['files', 'sallyport']);
  expect(around('.cursor/mcp.json').filter(name => name.endsWith('.tmp'))).toEqual([]);
  expect(textOf('.cursor/mcp.json.before-sallyport')).toBe(chat);
});

test('a file behind a link is changed there, and the link stays one', async () => {
  put('dotfiles/mcp.json', chat);
  mkdirSync(at('.cursor'));
  symlinkSync('../dotfiles/mcp.json', at('.cursor/mcp.json'));
  expect((await connect('cursor', '--write')).stdout).toContain(at('dotfiles/mcp.json'));
  expect(lstatSync(at('.cursor/mcp.json')).isSymbolicLink()).toBe(true);
  expect(around('.cursor/mcp.json')).toEqual(['mcp.json']);
  expect(around('dotfiles/mcp.json')).toEqual(['mcp.json', 'mcp.json.before-sallyport']);
});

test('if the client keeps it elsewhere: XDG_CONFIG_HOME, CLAUDE_CONFIG_DIR, an older Cline, --file', async () => {
  const environment = { XDG_CONFIG_HOME: at('xdg'), CLAUDE_CONFIG_DIR: at('claude') };
  await home.run(['connect', 'zed', '--write'], { environment });
  await home.run(['connect', 'claude-code', '--write'], { environment });
  const former = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
  put(former, '{}');
  await connect('cline', '--write');
  const relative = await connect('vscode', '--write', '--file', '.vscode/mcp.json');
  expect(relative.stdout).toContain(join(home.folder, 'work', '.vscode', 'mcp.json'));
  for (const path of ['xdg/zed/settings.json', 'claude/.claude.json', former]) expect(textOf(path)).toContain(bridge);
  const checks = await home.run(['doctor', '--json'], { environment });
  expect(checks.stdout).toContain(`${at('xdg/zed/settings.json')} starts ${bridge}.`);
});

describe('refused in one sentence, without a change', () => {
  const path = '.cursor/mcp.json';
  async function expectRefused(sentence: string | RegExp): Promise<void> {
    const ran = await connect('cursor', '--write');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toMatch(sentence);
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(1);
  }
  test.each([
    ['text that is no JSON', '{\n  "a": 1,\n  b\n}', / is not JSON \(line 3, column 3: .*\); nothing was changed\.$/m],
    ['another encoding', Buffer.from('{"größe":1}', 'latin1'), /is not UTF-8 text; nothing was changed/],
    ['an entry with a token', '{"mcpServers":{"sallyport":{"url":"http://127.0.0.1:1/mcp"}}}', /for HTTP, whose token/],
  ])('%s', async (_, content, sentence) => {
    put(path, content);
    await expectRefused(sentence);
    expect(readFileSync(at(path))).toEqual(Buffer.from(content));
    expect(around(path)).toEqual(['mcp.json']);
  });

  test('a file that isn’t writable', async () => {
    put(path, '{}', 0o444);
    await expectRefused(/is not writable/);
    expect([textOf(path), around(path)]).toEqual(['{}', ['mcp.json']]);
  });

  test('a link that leads nowhere, and a folder in its place', async () => {
    mkdirSync(at('.cursor'));
    symlinkSync('/nowhere/mcp.json', at(path));
    await expectRefused(/is a link that leads nowhere/);
    mkdirSync(at('.codeium/windsurf/mcp_config.json'), { recursive: true });
    expect((await connect('windsurf', '--write')).stderr).toContain('is not a regular file');
  });

  needsRoot.test('files that belong to another user', async () => {
    put(path, '{}');
    chownSync(at(path), 65_534, 65_534);
    await expectRefused(/belongs to another user/);
    mkdirSync(at('.codeium'));
    chownSync(at('.codeium'), 65_534, 65_534);
    expect((await connect('windsurf', '--write')).stderr).toContain(`${at('.codeium')} belongs to another user`);
    expect([textOf(path), readdirSync(at('.codeium'))]).toEqual(['{}', []]);
  });
});

test('a wrong request is reported before anything is done', async () => {
  expect(await builtConnect('emacs')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CLIENT must be one of'),
  });
  for (const [words, sentence] of [
    [['cursor', '--file', 'x'], '--file needs --write, --remove or --take.'],
    [['json', '--write'], 'Name the file of your client with --file FILE.'],
    [['cursor', '--write', '--file', ''], '--file needs the path of a file'],
    [['cursor', '--mint'], '--mint is for `sallyport connect http`'],
    [['http', '--scope', 'read-only'], '--scope needs --mint'],
    [['http', '--write'], '--write needs --file FILE'],
  ] as const)
    expect(await connect(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  expect((await connect('http')).code).toBe(69);
});

describe('http', () => {
  beforeEach(async () => {
    expect((await home.run(['start'])).code).toBe(0);
  });
  const portNow = async (): Promise<number> => (await home.json<{ port: number }>(['status'])).port;
  const tokens = () => home.json<{ name: string }[]>(['tokens', 'list']);
  const works = async (server: { url: string; headers: Record<string, string> }): Promise<number> => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    const headers = {
      ...server.headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    return (await fetch(server.url, { method: 'POST', headers, body })).status;
  };

  test('prints both forms, with a token only on request, and that one works', async () => {
    const plain = await connect('http');
    const url = `http://127.0.0.1:${await portNow()}/mcp`;
    const [first = '', second = ''] = plain.stdout.split('\n\n');
    expect(JSON.parse(first)).toEqual({ mcpServers: { sallyport: { url, headers: expect.anything() } } });
    expect(JSON.parse(second).mcpServers.sallyport).toMatchObject({ type: 'streamable-http', url });
    expect(plain.stdout).not.toMatch(/sp_/);
    expect(await tokens()).toEqual([]);
    const minted = await home.json<{ token: string; configs: { entry: Parameters<typeof works>[0] }[] }>([
      ...['connect', 'http', '--mint', '--name', 'laptop', '--scope', 'read-only', '--expires', '1'],
    ]);
    expect(await tokens()).toMatchObject([{ name: 'laptop', scope: 'readOnly', connections: 'all' }]);
    for (const { entry } of minted.configs) expect(await works(entry)).toBe(200);
    expect((await connect('http', '--mint')).stderr).toContain('This is the only time the token is shown.');
  }, 60_000);

  test('written into a file that becomes private; a changed port is fixed', async () => {
    const file = ['--write', '--file', at('agent/mcp.json')];
    const early = await connect('http', ...file);
    expect(early).toMatchObject({ code: 2, stderr: expect.stringContaining('--mint makes one') });
    expect(existsSync(at('agent'))).toBe(false);
    put('agent/mcp.json', chat);
    const written = await connect('http', ...file, '--mint', '--typed');
    expect(written.code).toBe(0);
    expect(written.stdout + written.stderr).not.toMatch(/sp_/);
    expect([modeOf('agent/mcp.json'), textOf('agent/mcp.json.before-sallyport')]).toEqual(['600', chat]);
    const { sallyport } = parse(textOf('agent/mcp.json')).mcpServers;
    expect(sallyport.type).toBe('streamable-http');
    expect(await works(sallyport)).toBe(200);
    expect((await connect('http', ...file)).stdout).toContain('is right already');

    put('agent/mcp.json', textOf('agent/mcp.json').replace(/127\.0\.0\.1:\d+/, '127.0.0.1:9'), 0o600);
    expect((await connect('http', ...file)).stdout).toContain('was changed');
    expect(parse(textOf('agent/mcp.json')).mcpServers.sallyport).toEqual(sallyport);
    expect(await tokens()).toHaveLength(1);

    const { url, headers } = parse(textOf('agent/mcp.json')).mcpServers.sallyport;
    const more = { type: 'streamable-http', url, headers: { ...headers, 'X-Agent': 'x' }, headersHelper: '/tmp/agent' };
    put('agent/mcp.json', JSON.stringify({ mcpServers: { sallyport: more } }), 0o600);
    expect((await connect('http', ...file)).stdout).toContain('also sets headersHelper, headers.X-Agent.');

    put('agent/broken.json', '{');
    const broken = await connect('http', '--write', '--mint', '--file', at('agent/broken.json'));
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('is not JSON') });
    expect(await tokens()).toHaveLength(1);
  }, 60_000);

  needs(missingForTyping()).test(
    'a token that may write is a privilege increase: the owner passphrase is asked for',
    async () => {
      const passphrase = 'correct horse battery';
      expect((await runOnTerminal(home, ['passphrase', 'set'], choosing(passphrase))).code).toBe(0);
      expect((await connect('http', '--mint')).code).toBe(0);
      const writing = ['http', '--mint', '--scope', 'read-write'];
      expect(await connect(...writing)).toMatchObject({ code: 1, stdout: '' });
      const minted = await runOnTerminal(home, ['connect', ...writing], [[passphrasePrompt, passphrase]]);
      expect(minted).toMatchObject({ code: 0, shown: expect.stringMatching(/Bearer sp_/) });
      expect(await tokens()).toMatchObject([{ scope: 'readOnly' }, { scope: 'readWrite' }]);
    },
    60_000,
  );
});

test('all present ones at once, one line each; one that can’t be changed doesn’t stop the others', async () => {
  put('.cursor/mcp.json', chat);
  put('.gemini/settings.json', '{');
  mkdirSync(at('.codeium/windsurf'), { recursive: true });
  const { code, stdout, stderr } = await inUsualHome('--all', '--write');
  expect(stdout).toContain('Cursor: added. Restart Cursor; its settings show it under MCP.\n');
  expect(stdout).toContain('Windsurf: added. Restart Windsurf');
  expect(stderr).toContain('Gemini CLI: ');
  expect({ code, left: textOf('.gemini/settings.json') }).toEqual({ code: 1, left: '{' });
  put('.gemini/settings.json', '{}');
  const again = JSON.parse((await inUsualHome('--all', '--write', '--json')).stdout) as {
    title: string;
    change: string;
  }[];
  expect(again.map(({ title, change }) => `${title} ${change}`).toSorted()).toEqual([
    'Cursor none',
    'Gemini CLI added',
    'Windsurf none',
  ]);
  const removed = await inUsualHome('--all', '--remove');
  expect(removed.stdout).toContain('Cursor: removed. Restart it.\n');
  expect([removed.code, parse(textOf('.cursor/mcp.json')), textOf('.gemini/settings.json')]).toEqual([
    0,
    parse(chat),
    '{}',
  ]);
  for (const words of [
    ['--all'],
    ['cursor', '--all', '--write'],
    ['--all', '--write', '--project'],
    ['--all', '--write', '--remove'],
  ])
    expect((await inUsualHome(...words)).code).toBe(2);
});
