/**
 * Tries a built Sallyport.app on a Mac as its owner would: opened by hand and by link, each window
 * pictured, quit, and nothing of it left. Its own home keeps its secrets in a file, since nobody is
 * there to answer the keychain; at the end once more in the usual home, with keychain and
 * LaunchAgent, to be looked at only. Needs `make build` before; may be told by the system to allow
 * pictures of the screen.
 *
 * Usage: node test/shell-macos/tryout.mjs APP FOLDER, from the project's folder; pictures and `report.txt` go into FOLDER.
 * Exits 1 where something was not as it must be; what comes after it is tried all the same.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answerMail } from './mail.mjs';

const [app = '', folder = ''] = process.argv.slice(2).map(path => resolve(path));
const project = fileURLToPath(new URL('../..', import.meta.url));
const label = 'app.sallyport.sallyportd';
const contents = join(app, 'Contents');
const patienceMilliseconds = 30_000;
const problems = [];

function report(line) {
  process.stdout.write(`${line}\n`);
  appendFileSync(join(folder, 'report.txt'), `${line}\n`);
}

/** What a command printed; empty where it failed. */
const asked = (command, ...words) => spawnSync(command, words, { encoding: 'utf8' }).stdout ?? '';

/** Process ids and commands of what runs out of the bundle. */
const running = () => asked('pgrep', '-fl', `${contents}/`).split('\n').filter(Boolean);
const appId = () => asked('pgrep', '-f', `${contents}/MacOS/Sallyport$`).split('\n')[0];
const windows = () =>
  asked('swift', join(project, 'test/shell-macos/windows.swift'), appId()).split('\n').filter(Boolean);

async function until(what, isSo) {
  const end = Date.now() + patienceMilliseconds;
  while (Date.now() < end) {
    const found = isSo();
    if (found) return found;
    await sleep(250);
  }
  throw new Error(`never came: ${what}`);
}

/** A picture of each window that is open, and of the whole screen. */
function picture(name) {
  const open = windows();
  for (const number of open)
    spawnSync('screencapture', ['-x', '-o', '-l', number, join(folder, `${name}-${number}.png`)]);
  spawnSync('screencapture', ['-x', join(folder, `${name}-screen.png`)]);
  report(`  ${name}: ${open.length} windows`);
  return open.length;
}

async function step(name, act) {
  report(name);
  try {
    await act();
  } catch (error) {
    problems.push(`${name}: ${error.message}`);
    report(`  NOT AS IT MUST BE: ${error.message}`);
    spawnSync('screencapture', ['-x', join(folder, `failed-${problems.length}.png`)]);
  }
}

/**
 * A home in a folder, whose secrets are in a file: made by a daemon that finds no keychain. Beside
 * it a database.
 */
function makeHome(place) {
  const home = join(place, 'home');
  const keyring = join(project, 'node_modules/@napi-rs/keyring');
  const sallyport = words =>
    execFileSync(join(project, 'build/bin/sallyport'), words, { env: { ...process.env, SALLYPORT_HOME: home } });
  renameSync(keyring, `${keyring}.away`);
  try {
    sallyport(['start']);
    sallyport([
      'connections',
      'add',
      `sqlite:${place}/shop.db`,
      '--create',
      '--name',
      'shop',
      '--ai-policy',
      'ask',
      '--json',
    ]);
    sallyport(['stop']);
  } finally {
    renameSync(`${keyring}.away`, keyring);
  }
  return home;
}

async function quit() {
  asked('osascript', '-e', 'tell application id "app.sallyport.Sallyport" to quit');
  await until(`the end of ${running().join(', ')}`, () => running().length === 0);
}

/**
 * The Settings window's panes, by their buttons; System Events may not be allowed to press them.
 */
async function eachPane() {
  for (let pane = 2; pane <= 4; pane += 1) {
    const press = `click button ${pane} of toolbar 1 of window 1`;
    asked('osascript', '-e', `tell application "System Events" to tell process "Sallyport" to ${press}`);
    await sleep(1000);
    picture(`settings-${pane}`);
  }
}

async function main() {
  if (process.platform !== 'darwin') {
    process.stderr.write('Sallyport.app can only be tried on macOS.\n');
    return 1;
  }
  mkdirSync(folder, { recursive: true });
  const place = mkdtempSync('/tmp/sallyport-tryout-');
  const home = makeHome(place);
  const open = (...words) => execFileSync('open', ['--env', `SALLYPORT_HOME=${home}`, '-a', app, ...words]);
  mkdirSync(join(place, 'mail'));
  const mail = await answerMail(join(place, 'mail'), home);
  const environment = { ...process.env, SALLYPORT_HOME: home };
  const isUp = () => existsSync(join(home, 'mcp-handshake.json'));

  await step('opened by hand', async () => {
    open();
    await until('the daemon', isUp);
    await until('a window', () => windows().length > 0);
    picture('settings-1');
    await eachPane();
  });
  for (const [name, link] of [
    ['unknown-link', 'sallyport://integrations/nothing'],
    ['pairing', mail.link],
  ]) {
    await step(`link: ${name}`, async () => {
      const before = windows().length;
      open(link);
      await until('one more window', () => windows().length > before);
      picture(name);
    });
  }
  await step('another shell asks for more', async () => {
    const before = windows().length;
    const words = ['connections', 'set', 'shop', '--external-clients', 'read-write'];
    const shell = spawn(join(contents, 'Resources/bin/sallyport'), words, { env: environment, stdio: 'ignore' });
    await until('one more window', () => windows().length > before);
    picture('confirmation');
    shell.kill();
  });
  await step('a client asks', async () => {
    const before = windows().length;
    const client = new Client({ name: 'asking client', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({ command: join(contents, 'MacOS/sallyport-mcp'), env: environment }),
    );
    const answer = client.callTool({ name: 'list_tables', arguments: { connection: 'shop' } }).catch(() => null);
    await until('one more window', () => windows().length > before);
    picture('question');
    await client.close();
    await answer;
  });
  await step('quit: nothing is left', quit);
  await step('opened by a link alone, it shows nothing', async () => {
    rmSync(join(home, 'mcp-handshake.json'), { force: true });
    open('sallyport://integrations/start-mcp');
    await until('the daemon', isUp);
    if (picture('by-link') !== 0) throw new Error('a window is open');
  });
  await step('quit again: nothing is left', quit);
  await mail.end();
  rmSync(place, { recursive: true, force: true });

  report('in the usual home, with keychain and LaunchAgent; to be looked at');
  execFileSync('open', ['-a', app]);
  await sleep(patienceMilliseconds);
  picture('as-a-person-has-it');
  report(asked('launchctl', 'print', `gui/${process.getuid()}/${label}`));
  // Who may read the shell secret, and the team that it belongs to; secrets are not printed without
  // -d.
  for (const item of asked('security', 'dump-keychain', '-a').split(/^keychain: /m)) {
    if (item.includes('/shell/secret')) report(item);
  }
  asked('osascript', '-e', 'tell application id "app.sallyport.Sallyport" to quit');
  await sleep(5000);
  for (const line of running()) report(`  still there: ${line}`);
  asked('launchctl', 'bootout', `gui/${process.getuid()}/${label}`);

  for (const problem of problems) report(problem);
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await main();
