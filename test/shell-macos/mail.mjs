/**
 * The Swift test's hands outside: an extension that pairs, an MCP client that calls tools with the
 * token it got, and a person at a terminal. Asked through files of a folder, `N.ask.json`, and
 * answered beside them, `N.answer.json`.
 */

import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const pollMilliseconds = 50;

export async function answerMail(folder, home, sallyport) {
  const verifier = randomBytes(32).toString('base64url');
  const callback = await listen();
  const answered = new Set();
  let token = null;
  const clients = [];

  const doers = {
    /**
     * What the system does with the address that the daemon gave: the extension's listener gets it,
     * and exchanges the code.
     */
    async open({ address }) {
      await fetch(address);
      const received = new URL(callback.last(), callback.url);
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

    /** On a pseudo-terminal (util-linux `script`). */
    async choosePassphrase({ passphrase }) {
      const child = spawn('script', ['-qfec', `'${sallyport}' passphrase set`, '/dev/null'], {
        env: { ...process.env, SALLYPORT_HOME: home },
      });
      const prompts = ['New owner passphrase: ', 'The same again: '];
      let shown = '';
      child.stdout.setEncoding('utf8').on('data', text => {
        shown += text;
        if (prompts.length === 0 || !shown.includes(prompts[0])) return;
        prompts.shift();
        child.stdin.write(`${passphrase}\r`);
      });
      const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
      return { code, shown };
    },
  };

  const port = () => JSON.parse(readFileSync(join(home, 'mcp-handshake.json'), 'utf8')).port;

  async function take(name) {
    const asked = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const answer = await doers[asked.do](asked).catch(error => ({ error: String(error.message) }));
    const place = join(folder, name.replace('.ask.', '.answer.'));
    writeFileSync(`${place}.part`, JSON.stringify(answer));
    renameSync(`${place}.part`, place);
  }

  const polling = setInterval(() => {
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.ask.json') || answered.has(name)) continue;
      answered.add(name);
      void take(name);
    }
  }, pollMilliseconds);

  return {
    link: `sallyport://integrations/pair?${new URLSearchParams({
      client: 'Swift’s extension‮',
      challenge: createHash('sha256').update(verifier).digest('base64url'),
      redirect: callback.url,
      scopes: 'readOnly',
      state: 'as it was',
    })}`,
    async end() {
      clearInterval(polling);
      for (const client of clients) await client.close().catch(() => {});
      await callback.end();
    },
  };
}

/** The extension's listener: remembers the last path that was asked for. */
async function listen() {
  let last = '/';
  const server = createServer((request, response) => {
    last = request.url ?? '/';
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
