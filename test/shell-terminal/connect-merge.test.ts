/**
 * What happens to a client's file, layout by layout: the entry is added, and all other bytes stay
 * (spec §16).
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  boxTokenConfigs,
  type ClientEntry,
  type EntryValue,
  entryText,
  httpConfigs,
  stdioConfigs,
} from '../../shared/client-configs.ts';
import { namesBeside } from '../../shell-terminal/connect/beside.ts';
import { connectable } from '../../shell-terminal/connect/clients-here.ts';
import { boxTokenDifferences, bridgeDifferences, httpDifferences } from '../../shell-terminal/connect/differences.ts';
import { type Differences, type MergeResult, merge, withoutEntry } from '../../shell-terminal/connect/merge.ts';
import { checkClients } from '../../shell-terminal/doctor/clients.ts';
import { inNpxCache } from '../shared/npx-cache.ts';
import { temporaryFolder } from '../storage/home-for-tests.ts';

const bridge = '/opt/sallyport/sallyport-mcp';
const entryOf = (client: string): ClientEntry => {
  const config = stdioConfigs(bridge).find(({ client: name }) => name === client);
  if (config === undefined) throw new Error(client);
  return config.entry;
};
const exactly: Differences = bridgeDifferences(bridge);
const into = (client: string, text: string): MergeResult => merge(text, entryOf(client), exactly);

/** Without the servers' key, which is removed with the last of them. */
const words = (text: string): string[] => text.replace(/"?(?:mcpServers|extensions)"?:/g, '').split(/[\s{},[\]]+/);

/** The file before; the text between the marks `«` and `»` is what is added. */
function expectInserted(client: string, marked: string, kind: MergeResult['kind'] = 'added'): void {
  const before = marked.replace(/«[^»]*»/g, '');
  const after = marked.replace(/[«»]/g, '');
  const merged = into(client, before);
  expect(merged).toEqual({ kind, text: after });
  expect(into(client, after).kind).toBe('there');
  // Removing takes out only what was added: the other servers, the comments and the layout stay.
  const removed = withoutEntry(after, entryOf(client));
  if (removed.kind === 'removed') expect(words(removed.text)).toEqual(expect.arrayContaining(words(before)));
  else throw new Error(removed.kind);
}

test('a command is right as the bridge itself and by a link, and nowhere else', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-leads-to-')));
  try {
    const [own = '', other = '', link = ''] = ['bridge', 'other', 'link'].map(name => join(folder, name));
    for (const file of [own, other]) writeFileSync(file, '');
    symlinkSync(own, link);
    const changes = [own, link, other, join(folder, 'gone'), 'bridge', ''].map(command =>
      bridgeDifferences(own)({ command }, { command: own }),
    );
    const wrong = { command: own };
    expect(changes).toEqual([{}, {}, wrong, wrong, wrong, wrong]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('an entry that npx starts', () => {
  const [cached, spec] = inNpxCache(temporaryFolder());
  const value = (client: string, from: string) =>
    stdioConfigs(from).find(({ client: name }) => name === client)?.entry.value ?? {};
  const byPath: Differences = bridgeDifferences(bridge);
  const byNpx: Differences = bridgeDifferences(cached);

  test.each(['cursor', 'goose', 'opencode', 'codex'])('%s: is right if npx runs, and only then', client => {
    const [npx, path] = [value(client, cached), value(client, bridge)];
    expect(byNpx(npx, npx)).toEqual({});
    expect(byPath(path, path)).toEqual({});
    expect({ ...path, ...Object(byNpx(path, npx)) }).toMatchObject(npx);
    expect({ ...npx, ...Object(byPath(npx, path)) }).toMatchObject(path);
    // A path into the cache must not stay.
    const intoCache = JSON.parse(JSON.stringify(path).replaceAll(bridge, cached));
    expect({ ...intoCache, ...Object(byNpx(intoCache, npx)) }).toMatchObject(npx);
    if (client === 'cursor') expect(byPath(npx, path)).toEqual({ command: bridge, args: [] });
  });

  test.each(['cursor', 'goose', 'zed'])('%s: its arguments are ours, and others are reported', client => {
    const npx = value(client, cached);
    expect(namesBeside(npx)).toEqual([]);
    expect(namesBeside({ ...npx, args: ['-y', '--ignore-scripts', 'sallyport', 'mcp'] })).toEqual([]);
    for (const args of [
      ['-y', '--ignore-scripts', spec, 'mcp', '--require', 'x'],
      ['-y', '--ignore-scripts', 'sallyport@npm:evil', 'mcp'],
      ['-y', '--ignore-scripts', 'file:/tmp/evil.tgz', 'mcp'],
      ['-y', 'sallyport', 'mcp'],
    ])
      expect(namesBeside({ ...npx, args })).toEqual(['args']);
    expect(namesBeside({ ...value(client, bridge), args: npx.args ?? [] })).toEqual(['args']);
  });
});

describe('an entry sallyport in a client’s file', () => {
  const folder = temporaryFolder();
  const file = join(folder, '.cursor/mcp.json');
  mkdirSync(dirname(file));
  const [cached, spec] = inNpxCache(folder);
  const looking = { userHome: folder, environment: {}, cwd: null };
  const put = (sallyport: object): void => writeFileSync(file, JSON.stringify({ mcpServers: { sallyport } }));
  const npx = (name: string) => ({ command: 'npx', args: ['-y', '--ignore-scripts', name, 'mcp'] });

  test.each<[string, object, string, boolean]>([
    ['of this package', npx(spec), cached, true],
    ['of another package', npx('file:/tmp/sallyport-9.tgz'), cached, false],
    ['of a registry’s name', npx('sallyport'), cached, false],
    ['of npx, where Sallyport is installed', npx(spec), bridge, false],
    ['of a program that is gone', { command: '/gone/sallyport-mcp' }, bridge, false],
  ])('%s is fine for the doctor and there for setup, or neither', async (_, entry, own, isOurs) => {
    put(entry);
    const checks = checkClients(looking, { home: folder, bridge: own, port: null });
    expect(checks.map(({ ok }) => ok)).toEqual([isOurs]);
    const here = await connectable(looking, own);
    expect(here.find(({ config }) => config.client === 'cursor')).toMatchObject({ connected: true, differs: !isOurs });
  });
});

describe('JSON with comments', () => {
  test('after the others, indented like them, with a comment at the last line', () => {
    expectInserted(
      'cursor',
      `// mine
{
    // servers I use
    "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "x"] }«,» // the one«
        "sallyport": {
            "command": "/opt/sallyport/sallyport-mcp"
        }»
    },
    "other":   [1,2 , 3]
}
`,
    );
  });

  test('a trailing comma stays, and the new one has one too', () => {
    expectInserted(
      'zed',
      `{
  "theme": "One Dark",
  "context_servers": {
    "a": { "command": "a", "args": [], },«
    "sallyport": {
      "command": "/opt/sallyport/sallyport-mcp",
      "args": []
    },»
    /* "b": { "command": "b" } */
  },
}
`,
    );
  });

  test('tabs, carriage returns, no line feed at the end', () => {
    expectInserted(
      'vscode',
      '{\r\n\t"inputs": [],\r\n\t"servers": {\r\n\t\t"a": {\r\n\t\t\t"url": "http://x"\r\n\t\t}«,\r\n\t\t"sallyport": {\r\n\t\t\t"type": "stdio",\r\n\t\t\t"command": "/opt/sallyport/sallyport-mcp"\r\n\t\t}»\r\n\t}\r\n}',
    );
  });

  test('no servers yet: a new key after the last one', () => {
    expectInserted(
      'claude-desktop',
      `{
  "globalShortcut": "Ctrl+Space"«,
  "mcpServers": {
    "sallyport": {
      "command": "/opt/sallyport/sallyport-mcp"
    }
  }»
}
`,
    );
  });

  test('an empty map of servers, with a comment in it', () => {
    expectInserted(
      'cursor',
      `{
  "mcpServers": {
    // none yet«
    "sallyport": {
      "command": "/opt/sallyport/sallyport-mcp"
    }»
  }
}`,
    );
    expect(into('cursor', '{\n  "mcpServers": {}\n}\n')).toEqual({
      kind: 'added',
      text: '{\n  "mcpServers": {\n    "sallyport": {\n      "command": "/opt/sallyport/sallyport-mcp"\n    }\n  }\n}\n',
    });
  });

  test('a file on one line stays on one', () => {
    expectInserted('cursor', '{"mcpServers":{«"sallyport":{"command":"/opt/sallyport/sallyport-mcp"}»},"a":1}');
    expectInserted('cursor', '{"a":1«,"mcpServers":{"sallyport":{"command":"/opt/sallyport/sallyport-mcp"}}»}\n');
    expectInserted(
      'cursor',
      '{ "mcpServers": { "a": {}«, "sallyport": { "command": "/opt/sallyport/sallyport-mcp" }» } }',
    );
  });

  test('a file with only comments, or nothing', () => {
    const whole = JSON.stringify({ mcpServers: { sallyport: { command: bridge } } }, null, 2);
    expect(into('cursor', '')).toEqual({ kind: 'added', text: `${whole}\n` });
    expect(into('cursor', '{}\n')).toEqual({ kind: 'added', text: `${whole}\n` });
    expect(into('cursor', '// nothing yet')).toEqual({ kind: 'added', text: `// nothing yet\n${whole}\n` });
  });

  test('another path is changed in place; the person’s own parts stay', () => {
    const before = `{ "mcpServers": {
  "sallyport": { "args": ["--old"], // from before
    "command":   "/old/sallyport-mcp", "alwaysAllow": ["list_tables"], "timeout": 5 } } }`;
    expect(into('cline', before)).toEqual({
      kind: 'updated',
      text: before.replace('"/old/sallyport-mcp"', `"${bridge}"`).replace('["--old"]', '[]'),
      entry: { command: bridge, args: [], alwaysAllow: ['list_tables'], timeout: 5 },
      was: { command: '/old/sallyport-mcp', args: ['--old'] },
    });
  });

  test('an older form of an entry: missing parts are added', () => {
    const merged = into('vscode', '{\n  "servers": {\n    "sallyport": {\n      "args": []\n    }\n  }\n}\n');
    expect(merged.kind).toBe('updated');
    expect('text' in merged && JSON.parse(merged.text)).toEqual({
      servers: { sallyport: { args: [], type: 'stdio', command: bridge } },
    });
  });

  test('an entry that is switched off exists, and is reported', () => {
    const text = JSON.stringify({ mcpServers: { sallyport: { command: bridge, disabled: true } } });
    expect(into('cline', text)).toEqual({ kind: 'there', entry: expect.anything() });
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'is not JSON (line 3, column 3: comma expected)'],
    ['{ "mcpServers": { "a": } }', 'is not JSON (line 1, column 24: value expected)'],
    ['{\n  "a": "\n}', 'is not JSON (line 2, column 8: unexpected end of string)'],
    ['{', 'is not JSON (line 1, column 2: close brace expected)'],
    ['{} {}', 'is not JSON (line 1, column 4: end of file expected)'],
    ['[]', 'is not a JSON object (line 1, column 1)'],
    ['{\n"mcpServers": []}', 'has something other than servers under mcpServers (line 2, column 15)'],
    ['{"mcpServers":{"sallyport":"x"}}', 'has an entry sallyport that is not a server'],
    ['{"mcpServers":{},"mcpServers":{"a":{}}}', 'is written in a way that can only be changed by hand'],
  ])('%j is refused', (text, why) => {
    expect(into('cursor', text)).toEqual({ kind: 'refused', why });
  });

  test('an entry with its own token doesn’t get the bridge’s token', () => {
    const text = JSON.stringify({ mcpServers: { sallyport: { url: 'http://127.0.0.1:1/mcp' } } });
    expect(into('cursor', text)).toMatchObject({ kind: 'refused', why: expect.stringContaining('for HTTP') });
  });

  test('no character of a file is lost, whatever it holds and however it is indented', () => {
    const server = fc.record({ command: fc.string(), args: fc.array(fc.string(), { maxLength: 2 }) });
    const name = fc.string().filter(text => text !== '__proto__' && text !== 'sallyport');
    const file = fc.record(
      {
        first: fc.jsonValue({ maxDepth: 2 }).filter(value => !JSON.stringify(value).includes('__proto__')),
        mcpServers: fc.dictionary(name, server, { maxKeys: 3 }),
        last: fc.string(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, fc.constantFrom(0, 1, 2, 4, '\t'), fc.constantFrom('\n', '\r\n'), (value, indent, eol) => {
        const text = JSON.stringify(value, null, indent).replaceAll('\n', eol);
        const merged = into('cursor', text);
        if (merged.kind !== 'added') throw new Error(merged.kind);
        const { mcpServers = {}, ...rest } = value;
        expect(JSON.parse(merged.text)).toEqual({
          ...JSON.parse(JSON.stringify(rest)),
          mcpServers: { ...JSON.parse(JSON.stringify(mcpServers)), sallyport: { command: bridge } },
        });
        // Only an empty map opens, between its braces.
        const start = merged.text.indexOf('"sallyport"');
        expect(text.startsWith(merged.text.slice(0, start).replace(/[\s,{]*("mcpServers":\s*\{)?\s*$/, ''))).toBe(true);
        expect(into('cursor', merged.text).kind).toBe('there');
      }),
    );
  });
});

describe('YAML', () => {
  const member = (column: string) =>
    [
      'sallyport:',
      '  name: sallyport',
      '  type: stdio',
      `  cmd: "${bridge}"`,
      '  args: []',
      '  enabled: true',
      '  timeout: 300',
    ]
      .map(line => `${column}${line}\n`)
      .join('');

  test('after the last extension and its own comments', () => {
    expectInserted(
      'goose',
      `# my goose
GOOSE_PROVIDER: anthropic   # the good one
extensions:
  # built in
  developer:
    enabled: true
    name: developer
    description: |
      several

      lines
    # about developer
«${member('  ')}»  # about none

# models
GOOSE_MODEL: 'claude'
`,
    );
  });

  test('carriage returns, four columns, no line feed at the end', () => {
    const lines = member('    ').replaceAll('\n', '\r\n').replace(/\r\n$/, '');
    expectInserted('goose', `extensions:\r\n    a:\r\n        enabled: false«\r\n${lines}»`);
  });

  test.each([
    ['no extensions yet', `A: 1\n«extensions:\n${member('  ')}»# the end\n`],
    ['extensions without a value', `extensions: # none\n«${member('  ')}»  # later\nA: 1\n`],
    ['nothing but comments', `# goose\n«extensions:\n${member('  ')}»`],
    ['nothing', `«extensions:\n${member('  ')}»`],
    ['an end of a document', `A: 1\n«extensions:\n${member('  ')}»...\n`],
    ['a beginning of a document', `---\nA: 1\n«extensions:\n${member('  ')}»`],
  ])('%s', (_, marked) => expectInserted('goose', marked));

  test('written as JSON', () => {
    const value = `{"name":"sallyport","type":"stdio","cmd":"${bridge}","args":[],"enabled":true,"timeout":300}`;
    expectInserted('goose', `extensions: { a: { enabled: true }«, sallyport: ${value}» }\n`);
    expectInserted('goose', `{ "A": 1«, extensions: { sallyport: ${value} }» }\n`);
  });

  test('an empty collection, as goose writes it, opens into lines', () => {
    for (const [before, after] of [
      ['extensions: {}\n', `extensions:\n${member('  ')}`],
      ['A: 1\nextensions: { } # none\nB: 2\n', `A: 1\nextensions: # none\n${member('  ')}B: 2\n`],
      ['extensions: {}', `extensions:\n${member('  ').trimEnd()}`],
      ['extensions: null\nB: 2\n', `extensions:\n${member('  ')}B: 2\n`],
      ['extensions: ~ # none\n', `extensions: # none\n${member('  ')}`],
    ] as const)
      expect(into('goose', before)).toEqual({ kind: 'added', text: after });
    const item = `  - name: sallyport\n    type: stdio\n    command: "${bridge}"\n`;
    expect(into('continue', 'a: 1\nmcpServers: []\n')).toEqual({
      kind: 'added',
      text: `a: 1\nmcpServers:\n${item}`,
    });
  });

  test('another path is changed in place; the person’s own parts stay', () => {
    const before = `extensions:
  sallyport:
    type: stdio
    timeout: 600 # slow
    cmd: /old/sallyport-mcp   # moved
    args:
      - --old
    enabled: false
`;
    expect(into('goose', before)).toEqual({
      kind: 'updated',
      text: before.replace('/old/sallyport-mcp ', `"${bridge}" `).replace('- --old', '[]'),
      entry: { type: 'stdio', timeout: 600, cmd: bridge, args: [], enabled: false },
      was: { cmd: '/old/sallyport-mcp', args: ['--old'] },
    });
    const after = into('goose', before);
    expect('text' in after && into('goose', after.text)).toEqual({ kind: 'there', entry: expect.anything() });
  });

  test('a list of servers: after the last one', () => {
    const item = (column: string) =>
      `${column}- name: sallyport\n${column}  type: stdio\n${column}  command: "${bridge}"\n`;
    expectInserted('continue', `name: mine\nmcpServers:\n  - name: a\n    command: b\n«${item('  ')}»# end\n`);
    expectInserted('continue', `mcpServers:\n- name: a\n«${item('')}»rules: []\n`);
    expectInserted('continue', `name: mine\nmcpServers:\n«${item('  ')}»`);
    const json = `{"name":"sallyport","type":"stdio","command":"${bridge}"}`;
    expectInserted('continue', `mcpServers: [{ name: a }«, ${json}»]\n`);
  });

  test('a list of servers: the one of that name is changed', () => {
    const before = `mcpServers:\n  - name: a\n    command: x\n  - command: '/old/it''s' # here\n    name: sallyport\n    env: { A: b }\n`;
    expect(into('continue', before)).toMatchObject({
      kind: 'updated',
      text: before.replace("'/old/it''s'", `"${bridge}"`).replace('- command', '- type: stdio\n    command'),
    });
  });

  test.each([
    ['a: [1\nb: 2\n', /^is not YAML \(line \d, column \d+: flow sequence/],
    ['a: 1\na: 2\n', /^is not YAML \(line 2, column 1: map keys must be unique\)$/],
    ['a: 1\n---\nb: 2\n', /^holds several YAML documents$/],
    ['? [a, b]\n: 1\n', /^has a map or a list as the key of a map$/],
    ['- a\n', /^is not a YAML map$/],
    ['extensions: [a]\n', /^has something other than servers under extensions \(line 1, column 13\)$/],
    ['x: &x { cmd: /old }\nextensions:\n  sallyport: *x\n', /^is written in a way/],
  ])('%j is refused', (text, why) => {
    const merged = into('goose', text);
    expect(merged).toMatchObject({ kind: 'refused', why: expect.stringMatching(why) });
  });
});

describe('removed, with the key that only held it', () => {
  const json = (servers: string, rest = '"a": 1') => `{\n  ${rest}${servers}\n}\n`;
  const one = '"sallyport": {\n      "command": "/x/sallyport-mcp"\n    }';
  const value = '{"name":"sallyport","cmd":"/x"}';
  test.each([
    ['cursor', json(`,\n  "mcpServers": {\n    ${one}\n  }`), json('')],
    ['cursor', json(`,\n  "mcpServers": {\n    ${one}\n  },\n  "b": 2`), json(',\n  "b": 2')],
    ['cursor', `{\n  "mcpServers": {\n    ${one}\n  }\n}\n`, '{}\n'],
    ['cursor', `// mine\n{\n  "mcpServers": {\n    ${one},\n  },\n}\n`, '// mine\n{}\n'],
    ['cursor', '{ "a": 1, "mcpServers": { "sallyport": { "command": "x" } } }', '{ "a": 1 }'],
    [
      'cursor',
      '{ "a": 1, "mcpServers": { "b": {}, "sallyport": { "command": "x" } } }',
      '{ "a": 1, "mcpServers": { "b": {} } }',
    ],
    // Their comments are the person's.
    [
      'cursor',
      `{\n  "mcpServers": {\n    // mine\n    ${one}\n  }\n}\n`,
      '{\n  "mcpServers": {\n    // mine\n  }\n}\n',
    ],
    ['cursor', `{\n  // mine\n  "mcpServers": {\n    ${one}\n  }\n}\n`, '{\n  // mine\n}\n'],
    ['goose', 'A: 1\nextensions:\n  sallyport:\n    cmd: x\n    args: []\nB: 2\n', 'A: 1\nB: 2\n'],
    ['goose', 'extensions:\n  sallyport:\n    cmd: x\n', ''],
    ['goose', '# mine\nextensions:\n  sallyport:\n    cmd: x', '# mine\n'],
    ['goose', 'extensions: # mine\n  sallyport:\n    cmd: x\n', 'extensions: {} # mine\n'],
    ['goose', 'extensions:\n  # mine\n  sallyport:\n    cmd: x\nA: 1\n', 'extensions: {}\n  # mine\nA: 1\n'],
    ['goose', `A: 1\nextensions: {sallyport: ${value}}\n`, 'A: 1\n'],
    ['goose', `A: 1\nextensions: {sallyport: ${value}} # mine\n`, 'A: 1\nextensions: {} # mine\n'],
    ['goose', `extensions: { a: {}, sallyport: ${value} }\n`, 'extensions: { a: {} }\n'],
    ['goose', `extensions: { sallyport: ${value}, a: {} }\n`, 'extensions: { a: {} }\n'],
    ['goose', `{ "A": 1, extensions: { sallyport: ${value} } }\n`, '{ "A": 1, extensions: {  } }\n'],
    ['continue', 'name: x\nmcpServers:\n  - name: sallyport\n    command: x\n', 'name: x\n'],
    ['continue', 'mcpServers: [{ name: a }, { name: sallyport }]\n', 'mcpServers: [{ name: a }]\n'],
  ])('%s: %j', (client, before, after) => {
    expect(withoutEntry(before, entryOf(client))).toEqual({ kind: 'removed', text: after });
  });
});

describe('a file that is too much for a parser is refused', () => {
  test.each([
    ['cursor', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
    ['cursor', '['.repeat(100_000)],
    [
      'goose',
      Array.from(
        { length: 20 },
        (_, at) => `a${at}: &a${at} [${'x,'.repeat(2)}${at === 0 ? '' : `*a${at - 1}, *a${at - 1}, *a${at - 1}`}]`,
      ).join('\n'),
    ],
    ['goose', '['.repeat(20_000)],
  ])('of %s', (client, text) => {
    expect(into(client, text)).toMatchObject({ kind: 'refused', why: expect.stringMatching(/^is /) });
  });
});

describe('HTTP', () => {
  const [plain, typed] = httpConfigs(27_432, 'sp_new');
  const file = (server: object) => JSON.stringify({ mcpServers: { sallyport: server } }, null, 2);

  test('another port: the address changes, the present token stays', () => {
    const before = file({ url: 'http://127.0.0.1:1/mcp', headers: { Authorization: 'Bearer sp_old', A: 'b' } });
    expect(merge(before, plain.entry, httpDifferences(false))).toEqual({
      kind: 'updated',
      text: before.replace(':1/', ':27432/'),
      entry: { url: 'http://127.0.0.1:27432/mcp', headers: { Authorization: 'Bearer sp_old', A: 'b' } },
      was: { url: 'http://127.0.0.1:1/mcp' },
    });
  });

  test('a new token replaces the old one, in no other header', () => {
    const before = file({ url: 'http://127.0.0.1:27432/mcp', headers: { Authorization: 'Bearer sp_old', A: 'b' } });
    const merged = merge(before, typed.entry, httpDifferences(true));
    expect('text' in merged && JSON.parse(merged.text)).toEqual({
      mcpServers: {
        sallyport: {
          type: 'streamable-http',
          url: 'http://127.0.0.1:27432/mcp',
          headers: { Authorization: 'Bearer sp_new', A: 'b' },
        },
      },
    });
  });

  test('the old token is replaced in any spelling of its header', () => {
    const before = file({ url: 'http://127.0.0.1:27432/mcp', headers: { authorization: 'Bearer sp_old', A: 'b' } });
    const merged = merge(before, plain.entry, httpDifferences(true));
    expect('text' in merged && JSON.parse(merged.text).mcpServers.sallyport.headers).toEqual({
      Authorization: 'Bearer sp_new',
      A: 'b',
    });
  });

  test('an entry that starts the bridge is left alone', () => {
    expect(merge(file({ command: bridge }), plain.entry, httpDifferences(true))).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('starts the bridge'),
    });
  });
});

describe('TOML', () => {
  const whole = `[mcp_servers.sallyport]\ncommand = "${bridge}"\n`;

  test('after everything there, with each byte unchanged; removed again it is as it was', () => {
    for (const before of [
      'model = "x" # keep\n\n[mcp_servers.files]\ncommand = \'npx\'\nargs = [\n  "-y", # [mcp_servers.sallyport]\n  "]",\n]\n',
      'text = """\n[mcp_servers.sallyport]\n"""\n[[list]]\na = {b = [1]}\n',
      '# nothing but this\n',
    ]) {
      expect(into('codex', before)).toEqual({ kind: 'added', text: `${before}\n${whole}` });
      expect(withoutEntry(`${before}\n${whole}`, entryOf('codex'))).toEqual({ kind: 'removed', text: before });
    }
    expect(into('codex', '')).toEqual({ kind: 'added', text: whole });
    expect(into('codex', whole).kind).toBe('there');
    expect(into('codex', whole.replaceAll('"', "'")).kind).toBe('there');
  });

  test('carriage returns, no line feed at the end', () => {
    const before = 'a = 1\r\n[b]\r\nc = 2';
    expect(into('codex', before)).toEqual({
      kind: 'added',
      text: `${before}\r\n\r\n${whole.replaceAll('\n', '\r\n')}`,
    });
  });

  test('another command is changed in place; its own table stays, and is removed with it', () => {
    const text = (command: string) =>
      `[mcp_servers."sallyport"] # mine\nargs = ["x"]\nstartup_timeout_sec = 9\ncommand = ${command} # why\n[mcp_servers.sallyport.env]\nA = "b"\n# end\n[z]\n`;
    expect(into('codex', text('"/old"'))).toMatchObject({
      kind: 'updated',
      text: text(JSON.stringify(bridge)).replace('["x"]', '[]'),
    });
    expect(withoutEntry(text('"/old"'), entryOf('codex'))).toEqual({ kind: 'removed', text: '# end\n[z]\n' });
  });

  test('what it starts with is read over several lines, with comments between', () => {
    const text = (args: string) => `[mcp_servers.sallyport]\ncommand = "${bridge}"\nargs = ${args}\n[z]\n`;
    expect(into('codex', text('[\n  "--require", # ours\n  "/x.js",\n]'))).toMatchObject({
      kind: 'updated',
      text: text('[]'),
    });
  });

  describe('the home', () => {
    const wanted = { ...entryOf('codex'), value: { command: bridge, env: { SALLYPORT_HOME: '/srv/sp' } } };
    const withHome = (text: string): MergeResult => merge(text, wanted, exactly);
    const command = `[mcp_servers.sallyport]\ncommand = "${bridge}"\n`;

    test.each([
      ['in a table of its own', `${command}\n[mcp_servers.sallyport.env]\nA = "b"\nSALLYPORT_HOME = '/srv/sp'\n`],
      ['in a table that comes first', `[mcp_servers.sallyport.env]\nSALLYPORT_HOME = "/srv/sp"\n${command}`],
      ['by dotted keys', `${command}env.SALLYPORT_HOME = "/srv/sp"\n`],
      ['beside others in one line', `${command}env = { A = 'b', SALLYPORT_HOME = "/srv/sp" }\n`],
    ])('exists: %s', (_, text) => {
      expect(withHome(text).kind).toBe('there');
    });

    test.each([
      [
        'where there is none',
        `${command}x = 1\n`,
        `[mcp_servers.sallyport]\nenv = { SALLYPORT_HOME = "/srv/sp" }\ncommand = "${bridge}"\nx = 1\n`,
      ],
      [
        'in a table of its own',
        `${command}[mcp_servers.sallyport.env] # mine\nA = 'b'\nSALLYPORT_HOME = "/old" # why\n[z]\n`,
        `${command}[mcp_servers.sallyport.env] # mine\nA = 'b'\nSALLYPORT_HOME = "/srv/sp" # why\n[z]\n`,
      ],
      [
        'into a table of its own',
        `${command}[mcp_servers.sallyport.env]\nA = 'b'\n`,
        `${command}[mcp_servers.sallyport.env]\nSALLYPORT_HOME = "/srv/sp"\nA = 'b'\n`,
      ],
      [
        'into an empty table',
        `${command}[mcp_servers.sallyport.env]`,
        `${command}[mcp_servers.sallyport.env]\nSALLYPORT_HOME = "/srv/sp"\n`,
      ],
      [
        'beside others in one line',
        `${command}env = { A = 'b', C = "d" }\n`,
        `${command}env = { A = "b", C = "d", SALLYPORT_HOME = "/srv/sp" }\n`,
      ],
      [
        'beside what is no text',
        `${command}env = { A = 1 }\n`,
        `${command}env = { A = 1, SALLYPORT_HOME = "/srv/sp" }\n`,
      ],
    ])('is added: %s', (_, text, after) => {
      expect(withHome(text)).toMatchObject({ kind: 'updated', text: after });
    });

    test.each([
      ['dotted keys', `${command}env.A = "b"\n`],
      ['no environment at all', `${command}env = 7\n`],
    ])('isn’t added beside %s', (_, text) => {
      expect(withHome(text)).toMatchObject({
        kind: 'refused',
        why: expect.stringMatching(/can only be changed by hand$/),
      });
    });
  });

  test.each([
    'a = 1979-05-27T07:32:00Z\nb = 0x1F\nc = [1, 2,]\nd = { x = 1, y = [ "a" ] }\ne = -inf\nf = 1_000.5e-3\ng = 07:32:00\n',
    '[[p]]\nn = 1\n[p.q]\nx = 1\n[[p]]\nn = 2\n[p.q]\nx = 2\n',
    '[a.b]\n[a]\nc = 1\nd.e = 1\nd.f = 2\n[a.g]\n',
    'a = [ # one\n  \'C:\\x\', "\\u00e9\\"\\n",\n  { b = true },\n]\nt = \'\'\'\n\\q\'\'\'\nu = """a\\\n  b"""\n',
    'approval = "never" # ok\n[projects."/home/ada/x y"]\ntrust_level = "trusted"\n[projects."/home/ada/z"]\ntrust_level = "trusted"\n',
    'd = 2024-01-01 10:00:00.5+02:00\ne = 2024-01-01\n',
  ])('is one for its client too: %j', before => {
    expect(into('codex', before)).toEqual({ kind: 'added', text: `${before}\n${whole}` });
  });

  test('an error has its place', () => {
    expect(into('codex', 'a = "x"\nmodel = gpt-5\n')).toEqual({
      kind: 'refused',
      why: 'is not TOML (line 2, column 9: invalid value)',
    });
    expect(into('codex', '[a]\nb = 1\nb = 2\n')).toEqual({
      kind: 'refused',
      why: 'is not TOML (line 3, column 1: trying to redefine an already defined table or value)',
    });
  });

  // The text between the marks is what goes.
  test.each([
    ['alone in an inline table', 'model = "x"\nmcp_servers = { «sallyport = { command = "x" }» } # mine\n'],
    ['first in an inline table', 'mcp_servers = { «sallyport = { command = "}," }, »b = { args = ["{", 1] } }'],
    ['last in an inline table', 'mcp_servers = {b={command="x"}«, sallyport = { env = { A = "=" } }»}'],
    ['an inline table in a table', '[mcp_servers]\n«sallyport = { command = "x" }\n»b = { command = "y" } # b\n'],
    ['dotted keys', '«mcp_servers.sallyport.command = "x" # it\n»model = "y"\n«mcp_servers.sallyport.env.A = "b"\n»'],
    ['dotted keys in a table', '[mcp_servers]\n«"sallyport".command = "x"\n»b.command = "y"\n[c]\nd = 1\n'],
    ['a table and dotted keys', '[mcp_servers]\n# mine\n[c]\nd = 1\n\n«[mcp_servers.sallyport]\nenv.A = "b"\n»[e]\n'],
  ])('removed from %s', (_, marked) => {
    const [before, after] = [marked.replace(/[«»]/g, ''), marked.replace(/«[^»]*»/g, '')];
    expect(withoutEntry(before, entryOf('codex'))).toEqual({ kind: 'removed', text: after });
  });

  test('added to an inline table, which no header may extend', () => {
    expectInserted(
      'codex',
      'mcp_servers = { a = { command = "x" }«, sallyport = { command = "/opt/sallyport/sallyport-mcp" }» }\n',
    );
    expectInserted('codex', 'mcp_servers = {« sallyport = { command = "/opt/sallyport/sallyport-mcp" } »}\n');
  });

  test.each([
    ['an inline table of ours', 'mcp_servers = { sallyport = { command = "x" } }', 'removed'],
    ['dotted keys of ours', '[mcp_servers]\nsallyport.command = "x"', 'removed'],
  ])('%s is not changed, but removed', (_, text, kind) => {
    expect(into('codex', text).kind).toBe('refused');
    expect(withoutEntry(text, entryOf('codex')).kind).toBe(kind);
  });

  test.each([
    ['a list of tables', '[[mcp_servers.sallyport]]\ncommand = "x"'],
    ['a string that does not end', 'a = "x\n'],
    ['a bracket that does not end', 'a = [1\n[mcp_servers.x]\n'],
    ['two statements in a line', 'a = 1 b = 2"\n[x] y\n'],
    ['no statement', 'hello\n'],
    ['a table whose name does not end', '[a\n'],
    ['no value', 'a =\n'],
    ['a word without its quotes', 'model = gpt-5\n'],
    ['a number with a zero before it', 'a = 01\n'],
    ['a list without its commas', 'a = [1 2]\n'],
    ['a word in a list', 'a = ["x", y]\n'],
    ['a table in a line without its equals sign', 'a = { b 1 }\n'],
    ['a backslash before a letter', 'path = "C:\\Users"\n'],
    ['a name twice', 'a = 1\n"a" = 2\n'],
    ['a table twice', '[mcp_servers.a]\nx = 1\n[b]\n[mcp_servers.a]\ny = 1\n'],
    ['our table twice', '[mcp_servers.sallyport]\nx = 1\n[mcp_servers.sallyport]\ny = 1\n'],
    ['a value that is a table too', 'a = 1\n[a.b]\n'],
    ['a value with a part', 'a = 1\na.b = 2\n'],
    ['a table that is a list', '[a]\n[[a]]\n'],
  ])('%s is refused, never guessed at', (_, text) => {
    expect(into('codex', text).kind).toBe('refused');
    expect(['refused', 'absent']).toContain(withoutEntry(text, entryOf('codex')).kind);
  });
});

describe('an entry for a box with a token', () => {
  const configs = boxTokenConfigs(27_432);

  test('names the variable as each client reads it, and the address of a container', () => {
    expect(Object.fromEntries(configs.map(({ client, entry: { value } }) => [client, readIn(value)]))).toEqual({
      'claude-code': `Bearer \${SALLYPORT_TOKEN}`,
      cursor: `Bearer \${env:SALLYPORT_TOKEN}`,
      vscode: `Bearer \${env:SALLYPORT_TOKEN}`,
      goose: `Bearer \${SALLYPORT_TOKEN}`,
      windsurf: `Bearer \${env:SALLYPORT_TOKEN}`,
      codex: 'SALLYPORT_TOKEN',
      gemini: 'Bearer $SALLYPORT_TOKEN',
      opencode: 'Bearer {env:SALLYPORT_TOKEN}',
      amp: `Bearer \${SALLYPORT_TOKEN}`,
    });
    for (const { entry } of configs) expect(entryText(entry)).toContain('http://host.docker.internal:27432/mcp');
  });

  test.each(configs.map(config => [config.client, config] as const))(
    'of %s: one that is right stays, and a token that stands there goes',
    (_, { entry }) => {
      const text = `${entryText(entry)}\n`;
      expect(merge(text, entry, boxTokenDifferences)).toMatchObject({ kind: 'there' });
      const old = text.replace(/(Bearer [^"]+)"|"SALLYPORT_TOKEN"$/m, (_, header) =>
        header === undefined ? '"OTHER"' : 'Bearer sp_old"',
      );
      expect(old).not.toBe(text);
      expect(merge(old, entry, boxTokenDifferences)).toMatchObject({ kind: 'updated', text });
    },
  );

  function readIn(value: EntryValue): unknown {
    return value.bearer_token_env_var ?? (value.headers as Readonly<Record<string, string>>).Authorization;
  }
});
