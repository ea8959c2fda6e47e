/**
 * Who is outside Sallyport: an extension that pairs, an MCP client with the token that it got, and
 * a person at a terminal.
 */

import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTerminal } from '../terminals/on-terminal.mjs';

/** @param connectionIds those that the extension asks for. */
export async function standOutside(home, sallyport, connectionIds = []) {
  const verifier = randomBytes(32).toString('base64url');
  const callback = await listen();
  let token = null;
  const clients = [];
  const port = () => JSON.parse(readFileSync(join(home, 'mcp-handshake.json'), 'utf8')).port;

  const outside = {
    link: `sallyport://integrations/pair?${new URLSearchParams({
      client: 'Swift’s extension‮',
      challenge: createHash('sha256').update(verifier).digest('base64url'),
      redirect: callback.url,
      scopes: 'readOnly',
      state: 'as it was',
      ...(connectionIds.length === 0 ? {} : { 'connection-ids': connectionIds.join(',') }),
    })}`,

    /** True if the answer has come to the extension's listener. */
    isAnswered: () => callback.last() !== null,

    /** Does what a browser would with the address that the daemon gave. */
    async open({ address }) {
      await fetch(address);
      return outside.exchange();
    },

    /** Exchanges the code that has come for a token. */
    async exchange() {
      const received = new URL(callback.last() ?? '/', callback.url);
      const code = received.searchParams.get('code');
      if (code === null) return { error: received.searchParams.get('error') };
      const response = await fetch(`http://127.0.0.1:${port()}/v1/integrations/exchange`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ code, code_verifier: verifier }),
      });
      ({ token } = await response.json());
      return { paired: response.status === 200, state: received.searchParams.get('state') };
    },

    async call({ tool, arguments: given, as = token }) {
      const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port()}/mcp`), {
        requestInit: { headers: { Authorization: `Bearer ${as}` } },
      });
      const client = new Client({ name: 'asking client', version: '1.0.0' });
      clients.push(client);
      await client.connect(transport);
      const { content, isError } = await client.callTool({ name: tool, arguments: given });
      return { isError: isError === true, text: content.map(({ text }) => text ?? '').join('\n') };
    },

    /** What is found on a machine that has an AI client and names a database. */
    async setup() {
      const person = mkdtempSync(join(tmpdir(), 'person-'));
      mkdirSync(join(person, '.cursor'));
      writeFileSync(join(person, '.pgpass'), '127.0.0.1:1:stock:clerk:secret\n', { mode: 0o600 });
      const options = { env: { PATH: process.env.PATH, HOME: person, SALLYPORT_HOME: home }, cwd: person };
      const child = spawn(sallyport, ['setup', '--json'], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        stdout += text;
      });
      const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
      rmSync(person, { recursive: true });
      return { code, stdout };
    },

    async choosePassphrase({ passphrase }) {
      const child = spawn(...onTerminal([sallyport, 'passphrase', 'set']), {
        env: { ...process.env, SALLYPORT_HOME: home },
      });
      const answers = [
        ['New owner passphrase: ', passphrase],
        ['Type it again: ', passphrase],
        // What was allowed while there was none; asked only if there is something.
        ['Enter to decide later: ', ''],
      ];
      let shown = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        shown += text;
        if (answers.length === 0 || !shown.includes(answers[0][0])) return;
        const [[, typed]] = answers.splice(0, 1);
        child.stdin.write(`${typed}\r`);
      });
      const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
      return { code, shown };
    },

    async end() {
      for (const client of clients) await client.close().catch(() => {});
      await callback.end();
    },
  };
  return outside;
}

/**
 * The extension's listener. It remembers the last path that an answer came to, and no other: a
 * browser also asks for its icon.
 */
async function listen() {
  let last = null;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) last = request.url;
    response.end('You can close this page.');
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/callback`,
    last: () => last,
    end: () =>
      new Promise(resolve => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
