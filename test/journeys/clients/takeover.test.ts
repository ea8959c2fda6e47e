/**
 * A person whose AI clients reach databases by other servers, with passwords in their files: the
 * built `setup`, `connect`, `doctor` and `status` name them, take them over and put them back.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { needs } from '../../needs.ts';
import { lendPostgres } from '../../servers/lent.ts';
import { findPostgres, type PostgresServer } from '../../servers/postgres.ts';
import { executable, type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import { choosing, missingForTyping, runOnTerminal } from '../terminal/typed-on-a-terminal.ts';

const bridge = join(dirname(executable), 'sallyport-mcp');
const binaries = findPostgres();
const missing = missingForTyping() ?? ('unavailable' in binaries ? binaries.unavailable : null);

needs(missing).describe('what reaches a database past Sallyport', () => {
  let home: RealHome;
  let server: PostgresServer;
  let url: string;
  beforeEach(async () => {
    home = realHome(0, 'owner');
    server = await lendPostgres();
    url = `postgres://${server.superuser}:${server.password}@127.0.0.1:${server.port}`;
    for (const database of ['shop', 'crm']) await server.psql(`create database ${database}`);
  });
  afterEach(async () => {
    await home.clean();
    await server.stop();
  }, 30_000);

  const at = (path: string): string => join(home.folder, path);
  const textOf = (path: string): string => readFileSync(at(path), 'utf8');
  function put(path: string, text: string): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text, { mode: 0o644 });
  }
  /** The text between « and » is the server's; what Sallyport adds is between ‹ and ›. */
  const before = (marked: string): string => marked.replace(/‹[^›]*›|[«»]/g, '');
  const after = (marked: string): string => marked.replace(/«[^»]*»|[‹›]/g, '');
  const environment = (): string => JSON.stringify({ SALLYPORT_HOME: home.home });
  const own = (indent: string, type = ''): string =>
    `"sallyport": {${indent}  ${type}"command": "${bridge}",${indent}  "env": {${indent}    "SALLYPORT_HOME": "${home.home}"${indent}  }${indent}}`;

  /** Each file of the person that has the password in it. */
  const holding = (): string[] =>
    readdirSync(home.folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && !entry.parentPath.startsWith(home.home))
      .map(entry => join(entry.parentPath, entry.name))
      .filter(path => readFileSync(path, 'utf8').includes(server.password));

  const files = (): Readonly<Record<string, string>> => ({
    '.cursor/mcp.json': `{
  // mine
  "mcpServers": {
«    "pg": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-postgres", "${url}/shop"]
    },
»    "files": { "command": "npx", "args": ["-y", "files"] }‹,› // keep‹
    ${own('\n    ')}›
  },
  "other":   true
}
`,
    '.codex/config.toml': `model = "x"\n[mcp_servers]\n«"pg".command = "npx" # it\npg.args = ["-y", "@bytebase/dbhub", "--dsn", "${url}/shop"]\n»docs = { command = "docs" }\n‹\n[mcp_servers.sallyport]\ncommand = "${bridge}"\nenv = { SALLYPORT_HOME = "${home.home}" }\n›`,
    '.config/Code/User/settings.json': `{\r\n\t"editor.tabSize": 2,\r\n\t"mcp": {\r\n\t\t"servers": {\r\n\t\t\t«"crm": {"command": "uvx", "args": ["postgres-mcp"], "env": {"DATABASE_URI": "${url}/crm"}}, »"b": {"url": "http://x"}\r\n\t\t}\r\n\t},\r\n}\r\n`,
    '.claude.json': `{"numStartups":41,"projects":{"/x":{"mcpServers":{«"db":{"command":"npx","args":["@bytebase/dbhub"],"env":{"DSN":"${url}/shop"}}»}}},"userID":"12345678901234567890"‹,"mcpServers":{"sallyport":{"type":"stdio","command":"${bridge}","args":[],"env":${environment()}}}›}`,
  });

  test('uninstall puts back what was taken over, and takes out the entry and the skill, if the person agrees', async () => {
    const marked = files()['.cursor/mcp.json'] ?? '';
    put('.cursor/mcp.json', before(marked));
    expect(await home.run(['connect', 'cursor', '--take', 'pg'])).toMatchObject({ code: 0 });
    expect(textOf('.cursor/mcp.json')).toBe(after(marked));
    await home.run(['connect', 'claude-code', '--skill']);
    const skill = at('.claude/skills/sallyport/SKILL.md');
    const no = await home.run(['uninstall']);
    for (const line of [
      `Kept: the entry "sallyport" in ${at('.cursor/mcp.json')}`,
      `Kept: the skill ${skill}`,
      'While Sallyport is installed, `sallyport connect CLIENT --remove` takes an entry out; `sallyport connect CLIENT --skill --remove` takes a skill out. Afterwards, take it out by hand.',
      `A copy stays of a client's file, with the servers and passwords that Sallyport took over: ${at('.cursor/mcp.json')}.before-sallyport-takeover`,
    ])
      expect(no.stdout.split('\n')).toContain(line);
    expect(textOf('.cursor/mcp.json')).toBe(after(marked));

    await home.run(['connect', 'codex', '--write', '--file', at('.codex/config.toml')]);
    const { code, shown } = await runOnTerminal(
      home,
      ['uninstall'],
      [
        ["took out of clients' files? [y/N]", 'y'],
        ['Take it out of their files? [y/N]', 'y'],
      ],
    );
    expect(shown).toContain('Cursor has pg again, past Sallyport; restart it.');
    expect(shown).toContain(`Removed ${skill}`);
    expect([code, textOf('.cursor/mcp.json'), textOf('.codex/config.toml')]).toEqual([0, before(marked), '']);
    expect(readdirSync(at('.cursor'))).toEqual(['mcp.json']);
    expect(readdirSync(at('.claude/skills'))).toEqual([]);
  }, 60_000);

  test('setup takes over four servers in four files, to an answer without any password left in a file', async () => {
    const all = files();
    for (const [path, marked] of Object.entries(all)) put(path, before(marked));
    const take = ['put Sallyport in its place?', ''] as const;
    const { code, shown, drawn } = await runOnTerminal(
      home,
      ['setup'],
      [
        take,
        ['for AI clients [shop]:', ''],
        take,
        take,
        ['for AI clients [crm]:', ''],
        take,
        ['Enter skips: ', ''],
        ...choosing('correct horse battery'),
        ['Create the role', ''],
        ['Create the role', ''],
      ],
    );
    expect(shown).toContain(
      'Cursor reaches shop on 127.0.0.1 by server-postgres, past Sallyport (pg in ~/.cursor/mcp.json',
    );
    expect(shown).toContain('It is saved already, as shop.');
    expect([code, shown.includes(server.password)]).toEqual([0, false]);
    expect(drawn).toMatch(/Ready\. Ask \w+/);
    for (const [path, marked] of Object.entries(all)) expect([path, textOf(path)]).toEqual([path, after(marked)]);
    // VS Code's own file is another one than its settings.
    expect(JSON.parse(textOf('.config/Code/User/mcp.json')).servers.sallyport.command).toBe(bridge);

    const copies = holding();
    expect(copies.every(path => path.endsWith('.before-sallyport-takeover'))).toBe(true);
    expect(copies.map(path => statSync(path).mode & 0o777)).toEqual([0o600, 0o600, 0o600, 0o600]);
    for (const command of ['doctor', 'status']) {
      const said = (await home.run([command, '--json'])).stdout;
      for (const path of copies) expect(said).toContain(`${path} still holds a database's password`);
    }
    for (const path of copies) rmSync(path);
    expect(holding()).toEqual([]);

    const { command } = JSON.parse(textOf('.claude.json')).mcpServers.sallyport;
    const client = new Client({ name: 'claude-code', version: '1' });
    const env = { PATH: process.env.PATH ?? '', HOME: home.folder, SALLYPORT_HOME: home.home };
    await client.connect(new StdioClientTransport({ command, env, stderr: 'ignore' }));
    const query = { connection: 'crm', sql: 'select current_database() as d' };
    expect((await client.callTool({ name: 'execute_query', arguments: query })).structuredContent).toMatchObject({
      rows: [['crm']],
    });
    await client.close();
  }, 120_000);

  test('a script names what it takes over; undo puts it back byte for byte, or the entry alone', async () => {
    const all = files();
    const [cursor = '', codex = ''] = [all['.cursor/mcp.json'], all['.codex/config.toml']];
    put('.cursor/mcp.json', before(cursor));
    const comment = `# was ${url}/old\n`;
    put('.codex/config.toml', comment + before(codex));
    const { past } = await home.json<{ past: { client: string; name: string }[] }>(['setup']);
    expect(past).toMatchObject([
      { client: 'cursor', name: 'pg', by: 'server-postgres', holdsPassword: true, refused: null },
      { client: 'codex', name: 'pg', by: 'dbhub' },
    ]);
    const [taken] = await home.json<{ backup: string; taken: object[] }[]>(['connect', 'cursor', '--take', 'pg']);
    expect(taken).toMatchObject({
      client: 'cursor',
      taken: [{ name: 'pg', connections: [{ connection: 'shop', isNew: true }] }],
    });
    expect(textOf('.cursor/mcp.json')).toBe(after(cursor));
    const told = await home.run(['connect', 'codex', '--take', 'pg']);
    expect(told.stdout).toContain('Codex has Sallyport in its place now');
    expect(told.stdout).toContain('A password is in that file: once all works, delete it.');
    expect(told.stdout).toContain(`${at('.codex/config.toml')} has a database's password in a comment`);
    expect(textOf('.codex/config.toml')).toBe(comment + after(codex));

    expect((await home.run(['connect', 'undo', 'cursor'])).stdout).toContain('Cursor has pg again, past Sallyport');
    expect(textOf('.cursor/mcp.json')).toBe(before(cursor));
    expect(readdirSync(at('.cursor'))).toEqual(['mcp.json']);
    // Another program has written the file meanwhile.
    put('.codex/config.toml', `${after(codex)}\n[later]\na = 1\n`);
    const undone = await home.json<{ names: string[]; backup: string }[]>(['connect', 'undo']);
    expect(undone).toMatchObject([{ client: 'codex', names: ['pg'] }]);
    expect(textOf('.codex/config.toml')).toContain(
      `${after(codex)}\n[later]\na = 1\n\n[mcp_servers.pg]\ncommand = "npx"`,
    );
    expect((await home.run(['connect', 'undo'])).stdout).toContain('Nothing was taken out');
  }, 60_000);

  test('of two servers of one name in one file the project’s is taken in its folder', async () => {
    const of = (database: string): object => ({ db: { command: 'npx', args: ['x', `${url}/${database}`] } });
    const projects = { '/a': { mcpServers: of('shop') }, [at('work')]: { mcpServers: of('crm') } };
    put('.claude.json', JSON.stringify({ projects }));
    const [taken] = await home.json<{ taken: object[] }[]>(['connect', 'claude-code', '--take', 'db']);
    expect(taken?.taken).toMatchObject([{ connections: [{ connection: 'crm' }] }]);
    expect(JSON.parse(textOf('.claude.json')).projects['/a']).toEqual(projects['/a']);
    put('.claude.json', JSON.stringify({ projects: { '/a': projects['/a'], '/b': projects['/a'] } }));
    expect((await home.here(['connect', 'claude-code', '--take', 'db'])).stderr).toContain(
      'do it in the folder of one: /a, /b.',
    );
  }, 60_000);

  test('undo puts back only what a takeover took out', async () => {
    put('.cursor/mcp.json', JSON.stringify({ mcpServers: { pg: { command: 'npx', args: ['x', `${url}/shop`] } } }));
    await home.json(['connect', 'cursor', '--write']);
    put('.cursor/mcp.json', '{"mcpServers":{}}');
    const shipped = JSON.stringify({ mcpServers: { db: { command: 'npx', args: ['evil', 'postgres://x@h/x'] } } });
    put('work/.mcp.json', '{"mcpServers":{}}');
    for (const ending of ['', '-takeover']) put(`work/.mcp.json.before-sallyport${ending}`, shipped);
    expect((await home.here(['connect', 'undo'])).stdout).toContain('Nothing was taken out');
    expect([textOf('.cursor/mcp.json'), textOf('work/.mcp.json')]).toEqual(['{"mcpServers":{}}', '{"mcpServers":{}}']);
  });

  test('undo in the home folder, and through a link', async () => {
    const { '.cursor/mcp.json': cursor = '' } = files();
    put('.cursor/mcp.json', before(cursor));
    mkdirSync(at('bin'));
    for (const name of ['sallyport', 'sallyport-mcp']) symlinkSync(join(dirname(executable), name), at(`bin/${name}`));
    const env = { PATH: process.env.PATH ?? '', HOME: home.folder, SALLYPORT_HOME: home.home };
    const typed = (...words: readonly string[]) =>
      execFileSync(at('bin/sallyport'), ['connect', ...words], { encoding: 'utf8', env, cwd: home.folder });
    typed('cursor', '--take', 'pg');
    expect(textOf('.cursor/mcp.json')).toBe(after(cursor).replace(bridge, at('bin/sallyport-mcp')));
    typed('undo');
    expect(textOf('.cursor/mcp.json')).toBe(before(cursor));
    typed('cursor', '--take', 'pg');
    put('.cursor/mcp.json', textOf('.cursor/mcp.json').replace('true', 'false'));
    expect(typed('undo')).toContain('so the copy stays');
    expect(textOf('.cursor/mcp.json')).toMatch(/"pg": \{\s*"command": "npx"/);

    put('db.env', `DSN=${url}/crm\n`);
    const crm = { command: 'npx', args: ['@bytebase/dbhub'], envFile: at('db.env') };
    const two = JSON.stringify({ mcpServers: { pg: { command: 'npx', args: ['x', `${url}/shop`] }, crm } });
    put('.codeium/windsurf/mcp_config.json', two);
    typed('windsurf', '--take', 'pg');
    expect(typed('windsurf', '--take', 'crm')).toContain(`${at('db.env')}, which it read, still holds a password`);
    typed('undo', 'windsurf');
    expect(textOf('.codeium/windsurf/mcp_config.json')).toBe(two);
  }, 60_000);

  test('a saved database counts only behind the same tunnel, and if it answers', async () => {
    await home.clean();
    // Without a passphrase: ssh is a program.
    home = realHome();
    const pg = { command: 'npx', args: ['@modelcontextprotocol/server-postgres', `${url}/shop`] };
    const text = JSON.stringify({ mcpServers: { pg } });
    put('.cursor/mcp.json', text);
    await home.json(['connections', 'add', `${url}/shop`, '--name', 'behind', '--ssh', 'me@127.0.0.1:1']);
    await home.json(['connections', 'add', `${url.replace(/:[^:@]*@/, ':x@')}/shop`, '--name', 'wrong']);
    const refused = await home.here(['connect', 'cursor', '--take', 'pg']);
    expect(refused.stderr).toMatch(/wrong is saved, and can't be reached: .* Nothing was taken out/);
    expect([refused.code, textOf('.cursor/mcp.json')]).toEqual([1, text]);
    await home.json(['connections', 'remove', 'wrong']);
    const [taken] = await home.json<{ taken: object[] }[]>(['connect', 'cursor', '--take', 'pg']);
    expect(taken?.taken).toMatchObject([{ connections: [{ connection: 'shop', isNew: true }] }]);
  }, 60_000);

  test('what doesn’t answer stays in its file, and what is elsewhere is only told', async () => {
    const wrong = url.replace(server.password, `${server.password}x`);
    const servers = {
      pg: { command: 'npx', args: ['@modelcontextprotocol/server-postgres', `${wrong}/shop`] },
      supabase: { command: 'npx', args: ['@supabase/mcp-server-supabase', '--project-ref=abcd'] },
      neon: { url: 'https://mcp.neon.tech/mcp' },
    };
    const text = JSON.stringify({ mcpServers: servers });
    put('.cursor/mcp.json', text);
    const refused = await home.run(['connect', 'cursor', '--take', 'pg', '--json']);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/shop can't be reached: .*Nothing was taken out/),
    ]);
    expect(textOf('.cursor/mcp.json')).toBe(text);
    expect(await home.json(['connections', 'list'])).toEqual([]);
    expect((await home.run(['connect', 'cursor', '--take', 'supabase'])).stderr).toContain(
      "It speaks Supabase's own interface",
    );
    expect((await home.run(['connect', 'cursor', '--take', 'neon'])).stderr).toContain('It runs elsewhere');

    const written = await home.run(['connect', 'cursor', '--write']);
    expect(written.stdout).toContain('Cursor reaches shop on 127.0.0.1 by server-postgres, past Sallyport');
    expect(written.stdout).toContain('`sallyport connect cursor --take pg` takes it over.');
    const typed = await runOnTerminal(home, ['connect', 'cursor', '--write'], [['put Sallyport in its place?', 'n']]);
    expect([typed.code, typed.shown]).toEqual([0, expect.stringContaining('Save the database itself')]);
    expect(JSON.parse(textOf('.cursor/mcp.json')).mcpServers).toMatchObject(servers);
    await home.json(['connect', 'claude-code', '--write', '--project']);
    await home.json(['connect', 'codex', '--write', '--project']);
    const { stdout: shutOut } = await home.here(['doctor']);
    expect(shutOut).toContain('shows sallyport as "Pending approval"');
    expect(shutOut).toContain('only in a folder that you trust');
    put('work/.env', `DATABASE_URL=${url}/shop\n`);
    put('.codex/config.toml', `# ${url}/old\n`);
    for (const words of [['doctor'], ['status'], ['doctor', '--json'], ['status', '--json'], ['setup', '--json']]) {
      const { stdout, stderr } = await home.run(words);
      expect([words, stdout]).toEqual([words, expect.stringContaining('supabase')]);
      expect(`${stdout}${stderr}`).not.toContain(server.password);
    }
    const { stdout } = await home.run(['doctor']);
    expect(stdout).toContain('Cursor reaches the Supabase project abcd by mcp-server-supabase, past Sallyport');
    expect(stdout).toContain("has a database's password in a comment");
    expect(stdout).toContain('.env here holds the password of');
  }, 60_000);
});
