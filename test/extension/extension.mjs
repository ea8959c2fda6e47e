#!/usr/bin/env node
// A whole Sallyport client in one file: it pairs with Sallyport, then lists the connections that it
// was given. It needs only Node.
//
// node extension.mjs [--print-link] [--handshake FILE]

import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';

const name = 'Sample Extension';
const argument = option => (process.argv.includes(option) ? process.argv[process.argv.indexOf(option) + 1] : undefined);

// 1. A verifier that never leaves this process, and its challenge, which may.
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

// 2. A place for the answer: a port of our own on loopback, and a state only we know.
const state = randomBytes(16).toString('base64url');
const { port: ownPort, answer } = await listen();

// 3. The deep link. The user decides in Sallyport, and may give less than asked for, or more.
const link = `sallyport://integrations/pair?${new URLSearchParams({
  client: name,
  challenge,
  redirect: `http://127.0.0.1:${ownPort}/paired`,
  scopes: 'readOnly',
  state,
})}`;
if (process.argv.includes('--print-link')) process.stdout.write(`${link}\n`);
else {
  const opener = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [link], { stdio: 'ignore' });
  opener.on('error', () => process.stdout.write(`Open this link:\n${link}\n`));
}

// 4. The code, or a denial. If nobody decides within five minutes, no answer comes.
const patience = setTimeout(() => {
  process.stderr.write('Nobody decided.\n');
  process.exit(1);
}, 5 * 60_000);
const { code, error } = await answer;
clearTimeout(patience);
if (error !== undefined) {
  process.stderr.write(`Sallyport said no: ${error}\n`);
  process.exit(1);
}

// 5. Code and verifier for the token, once. Sallyport's port is in its handshake file.
const { port } = JSON.parse(readFileSync(argument('--handshake') ?? handshakeFile(), 'utf8'));
const exchanged = await fetch(`http://127.0.0.1:${port}/v1/integrations/exchange`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ code, code_verifier: verifier }),
});
if (!exchanged.ok) {
  process.stderr.write(`The exchange was refused: ${exchanged.status} ${(await exchanged.json()).error_description}\n`);
  process.exit(1);
}
// Store it in a keychain, never in a file. Pairing again makes a second token: drop the old one.
const { token } = await exchanged.json();

// 6. Any MCP client can use it from here. By hand, one request of protocol 2026-07-28 is enough:
const called = await fetch(`http://127.0.0.1:${port}/mcp`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'list_connections',
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'list_connections',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
});
const { result } = await called.json();
for (const connection of result.structuredContent.connections)
  process.stdout.write(`${connection.name} (${connection.engine})\n`);

function listen() {
  return new Promise(resolve => {
    const server = createServer((request, response) => {
      const url = new URL(request.url, 'http://127.0.0.1');
      // Anybody on this machine can call this port: only an answer with our state is ours.
      if (url.pathname !== '/paired' || url.searchParams.get('state') !== state) {
        response.writeHead(404).end();
        return;
      }
      response.end('Done. You can close this page.', () => server.close());
      found(Object.fromEntries(url.searchParams));
    });
    let found;
    const answer = new Promise(done => {
      found = done;
    });
    server.listen(0, '127.0.0.1', () => resolve({ port: server.address().port, answer }));
  });
}

function handshakeFile() {
  const home =
    process.env.SALLYPORT_HOME ??
    (process.platform === 'darwin'
      ? join(homedir(), 'Library/Application Support/Sallyport')
      : join(homedir(), '.local/share/sallyport'));
  return join(home, 'mcp-handshake.json');
}
