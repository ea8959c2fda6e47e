/**
 * The entries for AI clients have the shapes of spec §16, with the real path in them, whatever it
 * is.
 */

import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { httpConfigs, stdioConfigs } from '../../shared/client-configs.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';
import { inNpxCache } from './npx-cache.ts';

const plain = '/Applications/Sallyport.app/Contents/MacOS/sallyport-mcp';
const awkward = `/home/o'brien/My "Apps" \\ $HOME/größe/sallyport-mcp`;

for (const bridge of [plain, awkward]) {
  describe(`with ${bridge}`, () => {
    const configs = new Map(stdioConfigs(bridge).map(config => [config.client, config]));
    const textOf = (client: string) => configs.get(client)?.text ?? '';

    const chat =
      'claude-desktop cursor windsurf cline gemini jetbrains lmstudio kiro amazon-q qwen antigravity kimi auggie pi';
    test.each(chat.split(' '))('%s: mcpServers', client => {
      expect(JSON.parse(textOf(client))).toEqual({ mcpServers: { sallyport: { command: bridge } } });
    });

    test('vscode: servers with a type', () => {
      expect(JSON.parse(textOf('vscode'))).toEqual({ servers: { sallyport: { type: 'stdio', command: bridge } } });
    });

    test('zed: context_servers with args', () => {
      expect(JSON.parse(textOf('zed'))).toEqual({ context_servers: { sallyport: { command: bridge, args: [] } } });
    });

    test('continue: a list of servers, the path quoted as YAML reads it', () => {
      expect(textOf('continue').split('\n').slice(3)).toEqual([
        'mcpServers:',
        '  - name: sallyport',
        '    type: stdio',
        `    command: ${JSON.stringify(bridge)}`,
      ]);
    });

    test('goose: extensions', () => {
      const lines = textOf('goose').split('\n');
      expect(lines.slice(0, 2)).toEqual(['extensions:', '  sallyport:']);
      for (const line of ['type: stdio', `cmd: ${JSON.stringify(bridge)}`, 'enabled: true', 'timeout: 300']) {
        expect(lines).toContain(`    ${line}`);
      }
    });

    test('codex: a table', () => {
      expect(textOf('codex')).toBe(`[mcp_servers.sallyport]\ncommand = ${JSON.stringify(bridge)}`);
    });

    test('opencode: one list for the command and its arguments', () => {
      const server = { type: 'local', command: [bridge], enabled: true };
      expect(JSON.parse(textOf('opencode'))).toEqual({ mcp: { sallyport: server } });
    });

    test('Copilot CLI, Droid, Crush, Kilo: each by its own words', () => {
      const stdio = { type: 'stdio', command: bridge };
      const local = { type: 'local', command: bridge, args: [], tools: ['*'] };
      const list = { type: 'local', command: [bridge], enabled: true };
      expect(JSON.parse(textOf('copilot-cli'))).toEqual({ mcpServers: { sallyport: local } });
      expect(JSON.parse(textOf('droid'))).toEqual({ mcpServers: { sallyport: stdio } });
      expect(JSON.parse(textOf('crush'))).toEqual({ mcp: { sallyport: stdio } });
      expect(JSON.parse(textOf('kilo'))).toEqual({ mcp: { sallyport: list } });
      for (const client of ['vscode-insiders', 'vscodium'])
        expect(JSON.parse(textOf(client))).toEqual({ servers: { sallyport: stdio } });
    });

    test('amp: a key with a dot in it', () => {
      expect(JSON.parse(textOf('amp'))).toEqual({ 'amp.mcpServers': { sallyport: { command: bridge } } });
    });

    test('claude-code: a command a shell understands', () => {
      const command = textOf('claude-code').replace(/^claude /, 'printf "%s\\n" ');
      const words = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).trimEnd().split('\n');
      expect(words).toEqual(['mcp', 'add', 'sallyport', '--', bridge]);
    });
  });
}

const folder = temporaryFolder();

test('if npx runs it, each entry has npx start it, without a path of npm’s cache', () => {
  const [cached, spec] = inNpxCache(folder);
  const [command, ...args] = ['npx', '-y', '--ignore-scripts', spec, 'mcp'];
  for (const { client, entry, text } of stdioConfigs(cached)) {
    const { value } = entry;
    const started = Array.isArray(value.command) ? value.command : [value.command ?? value.cmd, value.args].flat();
    expect([client, started]).toEqual([client, [command, ...args]]);
    expect(text).not.toContain('_npx');
    expect(text.replace(/[^a-z-]+/g, ' ')).toMatch(/ (?:command |cmd |-- )?npx (?:args )?-y --ignore-scripts file /);
  }
});

test('what npx had from a URL or a repository is never asked of a registry by its name', () => {
  for (const listed of ['https://x.example/sallyport-0.1.0.tgz', 'git+ssh://git@x.example/o/s.git', 'github:o/s']) {
    const [cached] = inNpxCache(folder, listed);
    for (const { text } of stdioConfigs(cached))
      expect([text.includes(cached), text.includes('npx ')]).toEqual([true, false]);
  }
  const [cached] = inNpxCache(folder, '^0.1.0');
  for (const { text } of stdioConfigs(cached))
    expect(text.replace(/[^a-z-]+/g, ' ')).toContain('--ignore-scripts sallyport mcp');
});

test('both HTTP shapes have the address and the bearer', () => {
  const server = { url: 'http://127.0.0.1:27432/mcp', headers: { Authorization: 'Bearer sp_x' } };
  expect(httpConfigs(27_432, 'sp_x').map(({ text }) => JSON.parse(text))).toEqual([
    { mcpServers: { sallyport: server } },
    { mcpServers: { sallyport: { type: 'streamable-http', ...server } } },
  ]);
});

test('a home other than the default goes into each entry’s environment, by its client’s name for that', () => {
  const named = (client: string) => stdioConfigs(plain, '/h/x').find(config => config.client === client);
  const environment = { SALLYPORT_HOME: '/h/x' };
  expect(named('cursor')?.entry.value).toEqual({ command: plain, env: environment });
  expect(named('goose')?.entry.value).toMatchObject({ envs: environment });
  expect(named('opencode')?.entry.value).toMatchObject({ environment });
  expect(named('codex')?.text).toContain('env = { SALLYPORT_HOME = "/h/x" }');
  expect(named('claude-code')?.text).toBe(`claude mcp add sallyport --env SALLYPORT_HOME=/h/x -- ${plain}`);
});

test('each client is named once and says where its text belongs', () => {
  const names = stdioConfigs(plain).map(({ client }) => client);
  expect(names).toEqual([...new Set(names)]);
  for (const { where, title } of stdioConfigs(plain)) expect([where, title]).not.toContain('');
});
