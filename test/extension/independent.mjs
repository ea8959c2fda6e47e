#!/usr/bin/env node
import { spawn } from 'node:child_process';
// A second extension, written from the description of the protocol alone.
//
// Its author had read a description of pairing, exchange and handshake file, which is now in spec
// §10 and §2, and none of the code: neither the sample extension beside it nor the daemon. Each
// GUESS marks a place where that description left an extension's author guessing; the specification
// may have settled it since.
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Spec §10: 32 random bytes, base64url: 43 characters of A-Z a-z 0-9 - _ */
export function newVerifier() {
  return randomBytes(32).toString('base64url');
}

/** Spec §10: base64url, no padding, of SHA-256 of the verifier (its ASCII bytes). */
export function challengeFor(verifier) {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}

/** Spec §10. GUESS 1: the URL scheme was a placeholder; a caller has to name it. */
export function pairingLink({ scheme, client, challenge, redirect, scopes }) {
  const query = [
    ['client', client],
    ['challenge', challenge],
    ['redirect', redirect],
    // GUESS 2: the text doesn't say whether `scopes` may be left out; it is sent.
    ['scopes', scopes],
  ]
    // "query values URL-encoded". GUESS 3: percent encoding, with a space as %20 and never as "+",
    // since the text doesn't say which one is read.
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `${scheme}://integrations/pair?${query}`;
}

/**
 * Spec §10: a loopback listener that waits for one callback. GUESS 4: the extension chooses port
 * and path of the redirect. GUESS 5: the callback is a GET (a browser opens it). GUESS 6: nothing
 * ties a callback to a request (no `state`), so this client puts a secret into the path and trusts
 * no callback without it.
 */
export async function listenForCallback({ host = '127.0.0.1' } = {}) {
  const secretPath = `/callback/${randomBytes(16).toString('hex')}`;
  let settle;
  const arrived = new Promise(resolve => {
    settle = resolve;
  });
  const server = http.createServer((request, response) => {
    const url = new URL(request.url, 'http://callback.invalid');
    if (request.method !== 'GET' || url.pathname !== secretPath) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end('You may close this page.\n');
    settle({ query: url.searchParams, raw: url.search });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host === '[::1]' ? '::1' : host, resolve);
  });
  const { port } = server.address();
  return {
    redirect: `http://${host}:${port}${secretPath}`,
    arrived,
    close: () =>
      new Promise(resolve => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

/** Spec §10: flat `code`, or flat `error` and `error_description`. */
export function readCallback(query) {
  const code = query.get('code');
  if (code !== null) return { code };
  return { error: query.get('error'), error_description: query.get('error_description') };
}

/**
 * Spec §2. The description only named a macOS folder. GUESS 7: elsewhere, the user's runtime or
 * state folder; the caller decides.
 */
export function defaultHandshakePath(folderName) {
  if (process.platform === 'darwin') {
    return path.join(os.homedir(), 'Library', 'Application Support', folderName, 'mcp-handshake.json');
  }
  const base = process.env.XDG_STATE_HOME || path.join(os.homedir(), '.local', 'state');
  return path.join(base, folderName, 'mcp-handshake.json');
}

/** Spec §2 and §10: only `port` is read. */
export async function readPort(handshakePath) {
  const { port } = JSON.parse(await readFile(handshakePath, 'utf8'));
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error('the handshake file names no port');
  return port;
}

/** One HTTP request to the service; always answers {status, headers, text}. */
export function send(port, method, requestPath, headers, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, method, path: requestPath, headers, agent: false },
      response => {
        const chunks = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/**
 * Spec §10. GUESS 8: the description didn't show the body of an error answer, so it is text here.
 */
export async function exchange(port, code, verifier) {
  const body = JSON.stringify({ code, code_verifier: verifier });
  const answer = await send(
    port,
    'POST',
    '/v1/integrations/exchange',
    { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    body,
  );
  const retryAfter = answer.headers['retry-after'];
  if (answer.status !== 200) return { status: answer.status, retryAfter, text: answer.text };
  return { status: 200, token: JSON.parse(answer.text).token, headers: answer.headers };
}

/**
 * Spec §4 with protocol version 2025-11-25, the newest with published shapes. GUESS 9: 2026-07-28
 * needs `_meta` and headers that the description didn't show.
 */
export async function openMcp(port, token) {
  const version = '2025-11-25';
  const common = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    // GUESS 10: as in MCP's streamable HTTP, either may come back.
    accept: 'application/json, text/event-stream',
  };
  const first = await post(port, common, {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'independent-extension', version: '1.0.0' },
    },
  });
  if (first.reply?.error) return { refused: first };
  const session = first.headers['mcp-session-id'];
  const headers = { ...common, 'mcp-protocol-version': version, ...(session ? { 'mcp-session-id': session } : {}) };
  await post(port, headers, { jsonrpc: '2.0', method: 'notifications/initialized' });
  let id = 1;
  return {
    call: async (name, args = {}) => {
      id += 1;
      const { reply } = await post(port, headers, {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name, arguments: args },
      });
      return reply;
    },
  };
}

async function post(port, headers, message) {
  const body = JSON.stringify(message);
  const answer = await send(port, 'POST', '/mcp', { ...headers, 'content-length': Buffer.byteLength(body) }, body);
  return { status: answer.status, headers: answer.headers, reply: readReply(answer, message.id) };
}

/** Spec §4: notifications come on the request's stream; the reply has our id. */
function readReply(answer, id) {
  if (answer.text.trim() === '') return undefined;
  if (!String(answer.headers['content-type']).startsWith('text/event-stream')) return JSON.parse(answer.text);
  for (const event of answer.text.split(/\r?\n\r?\n/)) {
    const data = event
      .split(/\r?\n/)
      .filter(line => line.startsWith('data:'))
      .map(line => line.slice(5).replace(/^ /, ''))
      .join('\n');
    if (data === '') continue;
    const message = JSON.parse(data);
    if (message.id === id) return message;
  }
  throw new Error('the stream ended without a reply');
}

/** GUESS 11: the description only showed macOS's `open`; on Linux that is xdg-open. */
export function openWithDesktop(link) {
  const [command, args] = process.platform === 'darwin' ? ['open', [link]] : ['xdg-open', [link]];
  spawn(command, args, { stdio: 'ignore', detached: true }).unref();
}

/** What a client does, from start to end (spec §10). `open` may be replaced; it gets the link. */
export async function pair({ scheme, client, scopes = 'readWrite', handshakePath, host, open = openWithDesktop }) {
  const verifier = newVerifier();
  const listener = await listenForCallback({ host });
  try {
    await open(pairingLink({ scheme, client, challenge: challengeFor(verifier), redirect: listener.redirect, scopes }));
    // GUESS 12: an expired sheet sends no callback, so wait only as long as it lives.
    const timer = new AbortController();
    const callback = await Promise.race([
      listener.arrived,
      new Promise(resolve => {
        const handle = setTimeout(resolve, 5 * 60 * 1000, undefined);
        timer.signal.addEventListener('abort', () => clearTimeout(handle));
      }),
    ]);
    timer.abort();
    if (callback === undefined) return { error: 'expired' };
    const told = readCallback(callback.query);
    if (told.code === undefined) return told;
    // Reads the port only now, since the link starts the server.
    return await exchange(await readPort(handshakePath), told.code, verifier);
  } finally {
    await listener.close();
  }
}

// As a program: prints the link, waits, pairs and lists the connections. Token and verifier stay in
// memory and are never printed.
if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [scheme, handshakePath, client = 'Independent extension', host = '127.0.0.1'] = process.argv.slice(2);
  if (handshakePath === undefined) {
    process.stderr.write('usage: independent.mjs SCHEME HANDSHAKE_FILE [CLIENT [HOST]]\n');
    process.exit(2);
  }
  const outcome = await pair({
    scheme,
    handshakePath,
    client,
    host,
    open: process.env.PAIR_WITH_DESKTOP === '1' ? openWithDesktop : link => process.stdout.write(`${link}\n`),
  });
  if (outcome.token === undefined) {
    process.stdout.write(`${JSON.stringify(outcome)}\n`);
    process.exit(1);
  }
  const mcp = await openMcp(await readPort(handshakePath), outcome.token);
  process.stdout.write(`${JSON.stringify(await mcp.call('list_connections'))}\n`);
}
