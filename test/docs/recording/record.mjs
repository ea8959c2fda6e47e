/**
 * `make recording`: plays script.mjs in a real terminal, with a real daemon and a real MCP client
 * in a temporary home. It draws the screens as an animated SVG, the file named by the first
 * argument. Needs tmux.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beginUnattended } from '../../unattended-home.mjs';
import { picture } from './picture.mjs';
import { columns, passphrase, rows, script, typedLines } from './script.mjs';
import { openTerminal } from './terminal.mjs';

const bin = fileURLToPath(new URL('../../../build/bin/', import.meta.url));
/** As fast as a person types words that they know. */
const keysAtOnce = 3;
const typingMilliseconds = 60;
/** Time for a screen to be drawn completely. */
const settleMilliseconds = 400;

const home = mkdtempSync('/tmp/you-');
// Only HOME, so no screen mentions SALLYPORT_HOME. Nothing here launches a daemon, which would use
// the account's home.
const environment = {
  PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
  HOME: home,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
};
const sallyport = (...words) =>
  execFileSync(join(bin, 'sallyport'), words, {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/**
 * Nothing needs confirmation until the passphrase is set; the recording's client gets its token
 * before that.
 */
function beginHome() {
  beginUnattended(join(home, ...(process.platform === 'darwin' ? onMac : ['.local', 'share', 'sallyport'])));
}
const onMac = ['Library', 'Application Support', 'Sallyport'];

async function choosePassphrase(terminal) {
  const said = [
    ['sallyport passphrase set', 'New owner passphrase:'],
    [passphrase, 'Type it again:'],
    // The client's token was made while the passphrase was off; Enter leaves that for later.
    [passphrase, 'Enter to decide later:'],
    ['', '--take-back'],
    // Else each command would keep saying when it was set.
    ['sallyport passphrase confirm', 'to allow this:'],
    [passphrase, 'Noted.'],
    ['clear', /^\$ $/],
  ];
  for (const [typed, until] of said) {
    await terminal.type(typed);
    await terminal.press('Enter');
    await terminal.shows(until);
  }
}

async function startDaemon() {
  const daemon = spawn(join(bin, 'sallyportd'), { env: environment, stdio: 'ignore' });
  let cause;
  for (let tries = 0; tries < 100; tries++, await wait(100)) {
    try {
      sallyport('status');
      return daemon;
    } catch (error) {
      // It isn't there yet.
      cause = error;
    }
  }
  throw new Error('The daemon did not start.', { cause });
}

async function connectClient() {
  const { port } = JSON.parse(sallyport('status', '--json'));
  const { token } = JSON.parse(sallyport('tokens', 'mint', '--name', 'AI client', '--scope', 'full-access', '--json'));
  const client = new Client({ name: 'AI client', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }));
  return client;
}

/** @returns frames: each a screen and how long it stays. */
async function play(terminal, client) {
  const frames = [];
  const shoot = async how => frames.push({ ...(await terminal.screen()), ...how });
  for (const step of script) {
    if (step.type !== undefined) {
      for (let at = 0; at < step.type.length; at += keysAtOnce) {
        await terminal.type(step.type.slice(at, at + keysAtOnce));
        await wait(20);
        await shoot({ holdMilliseconds: typingMilliseconds });
      }
      await terminal.press('Enter');
    }
    if (step.unseen !== undefined) {
      await terminal.type(step.unseen);
      await terminal.press('Enter');
    }
    if (step.press !== undefined) await terminal.press(step.press);
    // A question stays open until the recording ends.
    if (step.ask !== undefined)
      client.callTool({ name: step.tool, arguments: { connection: 'Demo', sql: step.ask } }).catch(() => {});
    await wait(settleMilliseconds);
    await terminal.shows(step.until);
    await shoot(step);
  }
  return frames;
}

let daemon;
let terminal;
let client;
try {
  beginHome();
  daemon = await startDaemon();
  client = await connectClient();
  terminal = await openTerminal(environment, columns, rows);
  // Root's shell has another prompt.
  await terminal.type("PS1='\u001b[36m$\u001b[39m '; clear");
  await terminal.press('Enter');
  await terminal.shows(/^\$ $/);
  await choosePassphrase(terminal);
  const frames = await play(terminal, client);
  writeFileSync(process.argv[2], picture(frames, { columns, rows, typed: typedLines(script) }));
} finally {
  await terminal?.end().catch(() => {});
  await client?.close();
  daemon?.kill();
  await new Promise(resolve =>
    daemon === undefined || daemon.exitCode !== null ? resolve() : daemon.once('exit', resolve),
  );
  rmSync(home, { recursive: true, force: true });
}
