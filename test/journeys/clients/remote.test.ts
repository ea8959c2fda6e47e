/**
 * A client on another machine connects over SSH as docs/remote.md describes: by a forwarded port, a
 * forwarded Unix socket, and the bridge.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { bridgeCommand, RealHome } from '../../bridge/real-home.ts';
import { modern } from '../../clients/http/wire.ts';
import { needs } from '../../needs.ts';
import { freePort } from '../../servers/free-port.ts';
import { type SshHome, type SshServer, sshHome, sshUnavailable, startSshd } from '../../servers/sshd.ts';
import { until } from '../../waiting/until.ts';

const page = readFileSync(new URL('../../../docs/remote.md', import.meta.url), 'utf8');

needs(sshUnavailable).describe('a client on another machine', () => {
  let home: RealHome;
  let person: SshHome;
  let server: SshServer;
  let login: readonly string[];
  let folder: string;
  let port: number;
  let token: string;
  const forwards = new Set<ChildProcess>();
  beforeAll(async () => {
    home = new RealHome();
    folder = mkdtempSync(join(tmpdir(), 'sallyport-remote-'));
    person = sshHome();
    server = await startSshd(person);
    server.trust();
    // Uses nothing of this machine's own SSH, and asks nothing.
    login = [
      ...['-F', join(person.folder, '.ssh', 'config'), '-o', 'IdentityAgent=none', '-o', 'BatchMode=yes'],
      ...['-p', `${server.port}`, '-l', person.user],
    ];
    home.sallyport('start');
    await home.here('demo');
    ({ token } = JSON.parse(await home.here('tokens', 'mint', '--name', 'laptop', '--json')));
    port = home.handshake()?.port ?? 0;
  }, 60_000);
  afterAll(async () => {
    for (const forward of forwards) forward.kill('SIGKILL');
    await home.clean();
    await server.kill();
    await person.clean();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The page's own command, with this test's places in it. */
  function forwarded(written: string, ...places: readonly (readonly [written: string, here: string])[]): ChildProcess {
    const [line] = page.replaceAll('\\\n', '').match(new RegExp(`^ssh -N .*${written}.*$`, 'm')) ?? [];
    if (line === undefined) throw new Error(`docs/remote.md forwards no ${written}`);
    const words = line.trim().split(/\s+/).slice(1, -1);
    const here = words.map(word =>
      [...places, ['27432', `${port}`] as const].reduce((text, [from, to]) => text.replace(from, to), word),
    );
    const child = spawn('ssh', [...login, ...here, '127.0.0.1'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.pipe(process.stderr);
    forwards.add(child);
    return child;
  }

  async function ended(child: ChildProcess): Promise<void> {
    forwards.delete(child);
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }

  const answers = (at: number | string) =>
    new Promise<boolean>(resolve => {
      const socket = typeof at === 'number' ? connect(at, '127.0.0.1') : connect(at);
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.unref();
    });

  test('can reach the gate only on loopback', async () => {
    const elsewhere = Object.values(networkInterfaces())
      .flat()
      .filter(each => each !== undefined && !each.internal && each.family === 'IPv4');
    for (const { address } of elsewhere as { address: string }[]) {
      const socket = connect(port, address);
      const [{ code }] = (await once(socket, 'error')) as [{ code: string }];
      expect([address, code]).toEqual([address, 'ECONNREFUSED']);
    }
    const listening = readFileSync(`/proc/${home.daemons()[0]}/net/tcp`, 'utf8').split('\n');
    const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
    expect(
      listening.filter(line => line.includes(`:${hexPort} 00000000:0000`)).map(line => line.trim().split(/\s+/)[1]),
    ).toEqual([`0100007F:${hexPort}`]);
  });

  test('reads through a forwarded port, and only under this machine’s names', async () => {
    const here = await freePort();
    const child = forwarded('8765', ['8765', `${here}`]);
    await until(() => answers(here), 'the port is forwarded');
    const client = new Client({ name: 'laptop', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { Authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${here}/mcp`), { requestInit }));
    const { content } = await client.callTool({
      name: 'execute_query',
      arguments: { connection: 'Demo', sql: 'select count(*) as n from customers' },
    });
    expect(JSON.stringify(content)).toMatch(/\d/);
    await client.close();
    const foreign = await asked({ host: '127.0.0.1', port: here }, { Host: 'gate.example' });
    expect(foreign.status).toBe(403);
    await ended(child);
    expect(await answers(here)).toBe(false);
  }, 60_000);

  test('reads through a forwarded socket, which only its user may open, and again after ssh reconnects', async () => {
    const own = join(folder, 'own');
    mkdirSync(own, { mode: 0o700 });
    const socketPath = join(own, 'mcp.sock');
    const place = ['~/.sallyport-remote/mcp.sock', socketPath] as const;
    let child = forwarded('mcp.sock', place);
    await until(() => answers(socketPath), 'the socket is forwarded');
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    expect(await asked({ socketPath }, { Host: 'localhost' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('execute_query'),
    });
    // As a lost network ends it: the file stays, and the next forward replaces it.
    forwards.delete(child);
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect(existsSync(socketPath)).toBe(true);
    expect(await answers(socketPath)).toBe(false);
    child = forwarded('mcp.sock', place);
    await until(() => answers(socketPath), 'the socket is forwarded again');
    expect(await asked({ socketPath }, { Host: 'localhost' })).toMatchObject({ status: 200 });
    await ended(child);
  }, 60_000);

  test('starts the bridge over SSH, without a token and without a port', async () => {
    const command = `SALLYPORT_HOME='${home.home}' PATH='${process.env.PATH}' '${bridgeCommand}'`;
    const transport = new StdioClientTransport({
      command: 'ssh',
      args: [...login, '-T', '127.0.0.1', command],
      stderr: 'pipe',
    });
    transport.stderr?.on('data', text => process.stderr.write(text));
    const client = new Client({ name: 'laptop', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transport);
    const { content } = await client.callTool({ name: 'list_connections', arguments: {} });
    expect(JSON.stringify(content)).toContain('Demo');
    await client.close();
  }, 60_000);

  test('is refused without the token, forwarded or not', async () => {
    const here = await freePort();
    const child = forwarded('8765', ['8765', `${here}`]);
    await until(() => answers(here), 'the port is forwarded');
    expect((await asked({ host: '127.0.0.1', port: here }, { Authorization: 'Bearer none' })).status).toBe(401);
    await ended(child);
  }, 60_000);

  function asked(
    where: { readonly host: string; readonly port: number } | { readonly socketPath: string },
    headers: Record<string, string>,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const { body, headers: usual } = modern(token, 'tools/list');
    return new Promise((resolve, reject) => {
      const options = { ...where, method: 'POST', path: '/mcp', headers: { ...usual, ...headers }, agent: false };
      const sent = request(options, (answer: IncomingMessage) => {
        let text = '';
        answer.setEncoding('utf8').on('data', chunk => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      sent.once('error', reject);
      sent.end(body);
    });
  }
});
