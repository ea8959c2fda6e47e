/**
 * `make tryout`: tries a built Sallyport.app on a Mac as its owner would, each step with a time
 * limit, and pictures each window. Its secrets go into a keychain of its own. docs/app.md lists
 * what each step shows, what it needs, and what only a person can look at.
 *
 * Usage: node test/shell-macos/tryout.mjs APP FOLDER, from the project's folder; pictures and `report.txt` go into FOLDER.
 * Exits 1 where something was not as it must be; what comes after it is tried anyway. With
 * --steps it lists its steps, anywhere.
 */

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { standOutside } from './outside.mjs';
import { asked, ran, started, undo, undoAll } from './tryout/commands.mjs';
import { openDesk } from './tryout/desk.mjs';
import { makeHome } from './tryout/home.mjs';
import { throwAwayKeychain } from './tryout/keychain.mjs';
import { stepper } from './tryout/steps.mjs';

const steps = {
  home: { name: 'a keychain and a home of its own', seconds: 300 },
  byHand: { name: 'opened by hand', seconds: 120 },
  menus: { name: 'menus right after a launch by hand', seconds: 90 },
  panes: { name: 'each pane of Settings', seconds: 150 },
  item: { name: 'the menu of the menu-bar item', seconds: 90 },
  strangeLink: { name: 'a link that means nothing', seconds: 60 },
  pairing: { name: 'a pairing approved, used and revoked', seconds: 240 },
  confirmation: { name: 'another shell asks for more, and is allowed', seconds: 150 },
  question: { name: 'a client asks, and is allowed', seconds: 150 },
  fullScreen: { name: 'a question over an app in full screen', seconds: 150 },
  quit: { name: 'quit: nothing is left', seconds: 60 },
  byLink: { name: 'opened by a link alone, it shows nothing', seconds: 120 },
  quitAgain: { name: 'quit again: nothing is left', seconds: 60 },
  agent: { name: 'in the usual home, by the LaunchAgent', seconds: 150 },
};

/** Points; longer sentences belong behind a "Why?". */
const widestMenu = 500;
const agentLabel = 'app.sallyport.sallyportd';

async function main([app = '', folder = ''], usual) {
  mkdirSync(folder, { recursive: true });
  const desk = await openDesk(app, folder);
  const { step, problems } = stepper(desk);
  // Any that runs, this one or another: it would lose sight of its keychain meanwhile.
  if ((await asked('pgrep', ['-x', 'Sallyport|sallyportd'])) !== '') {
    process.stderr.write('Sallyport runs on this Mac: quit it, then try again.\n');
    return 1;
  }
  const place = mkdtempSync(join(tmpdir(), 'sallyport-tryout-'));
  undo(() => rmSync(place, { recursive: true, force: true }));
  let own;
  await step(steps.home, async () => {
    own = await makeHome(app, place, throwAwayKeychain(place));
  });
  if (own !== undefined) await inOwnHome(app, desk, step, own);
  await inUsualHome(app, desk, step, usual);
  for (const problem of problems) desk.report(problem);
  return problems.length === 0 ? 0 : 1;
}

async function inOwnHome(app, desk, step, { home, environment, terminal, sallyport, connection }) {
  const open = (...words) => ran('open', words);
  // In English, as its buttons are found by their English names.
  const launch = (...words) =>
    open('--env', `SALLYPORT_HOME=${home}`, '-a', app, ...words, '--args', '-AppleLanguages', '(en)');
  const isUp = () => existsSync(join(home, 'mcp-handshake.json'));
  const outside = await standOutside(home, sallyport, [connection.id]);
  const bridge = join(app, 'Contents/MacOS/sallyport-mcp');

  /**
   * An AI client that lists the tables of the connection, which asks each time.
   * @returns true if it was answered well.
   */
  async function asks() {
    const client = new Client({ name: 'asking client', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: bridge, env: environment }));
    let answer = null;
    void client
      .callTool({ name: 'list_tables', arguments: { connection: 'shop' } })
      .then(result => (answer = result.isError === true ? 'refused' : 'answered'))
      .catch(error => (answer = error.message));
    return { answer: () => answer, end: () => client.close() };
  }

  await step(steps.byHand, async () => {
    await launch();
    await desk.until('the daemon', isUp, 60);
    await desk.until('a window', async () => (await desk.windows()).length > 0);
    await desk.picture('opened');
  });
  await step(steps.menus, () => desk.openMenu('menu-of-the-app', 1, 2));
  await step(steps.panes, async () => {
    const names = new Set();
    for (let pane = 1; pane <= 4; pane += 1) {
      names.add(await desk.pane(pane));
      await desk.picture(`settings-${pane}`);
    }
    if (names.size !== 4) throw new Error(`the panes are ${[...names].join(', ')}`);
  });
  await step(steps.item, async () => {
    const { width } = await desk.openMenu('menu-of-the-item', 2, 1);
    if (width > widestMenu) throw new Error(`it is ${width} points wide`);
  });
  await step(steps.strangeLink, () =>
    desk.oneMoreWindow('strange-link', () => open('sallyport://integrations/nothing')),
  );
  await step(steps.pairing, async () => {
    await desk.oneMoreWindow('pairing', () => open(outside.link));
    await desk.press('Approve', outside.isAnswered, 90);
    const { paired, error } = await outside.exchange();
    if (paired !== true) throw new Error(`the code got no token: ${error}`);
    const call = () => outside.call({ tool: 'list_connections', arguments: {} });
    const { isError, text } = await call();
    if (isError || !text.includes('shop')) throw new Error(`the token was answered: ${text}`);
    const [token] = JSON.parse(await terminal('tokens', 'list', '--json'));
    await terminal('tokens', 'revoke', token.id);
    const after = await call().catch(() => null);
    if (after !== null) throw new Error(`the revoked token was answered: ${after.text}`);
  });
  await step(steps.confirmation, async () => {
    let code = null;
    await desk.oneMoreWindow('confirmation', async () => {
      const words = ['connections', 'set', 'shop', '--external-clients', 'read-write'];
      const shell = started(sallyport, words, { env: environment, stdio: 'ignore' });
      shell.once('close', ended => (code = ended ?? 'a signal'));
    });
    await desk.press('Allow', () => code !== null);
    if (code !== 0) throw new Error(`the shell ended with ${code}`);
  });
  await step(steps.question, async () => {
    const client = await asks();
    await desk.oneMoreWindow('question', () => {});
    await desk.press('Allow', () => client.answer() !== null);
    if (client.answer() !== 'answered') throw new Error(`the client was told: ${client.answer()}`);
    await client.end();
  });
  await step(steps.fullScreen, async () => {
    const [program, words] = desk.fullScreenApp;
    const other = started(program, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    let isFull = false;
    other.stdout.on('data', () => (isFull = true));
    await desk.until('an app in full screen', () => isFull);
    const client = await asks();
    await desk.oneMoreWindow('question-over-full-screen', () => {});
    if ((await desk.windows(other.pid)).length === 0) throw new Error('the app in full screen was left for it');
    await desk.press('Don’t Allow', () => client.answer() !== null);
    await client.end();
    other.kill();
  });
  await step(steps.quit, () => desk.quit());
  await step(steps.byLink, async () => {
    rmSync(join(home, 'mcp-handshake.json'), { force: true });
    await launch('sallyport://integrations/start-mcp');
    await desk.until('the daemon', isUp, 60);
    if ((await desk.picture('by-link')).length !== 0) throw new Error('a window is open');
  });
  await step(steps.quitAgain, () => desk.quit());
  await outside.end();
}

/** As a person has it. What macOS asks there, a person has to look at. */
async function inUsualHome(app, desk, step, usual) {
  if (existsSync(usual)) {
    desk.report(`${steps.agent.name}\n  skipped: this Mac has a home of Sallyport, ${usual}`);
    return;
  }
  undo(() => rmSync(usual, { recursive: true, force: true }));
  const agent = `gui/${process.getuid()}/${agentLabel}`;
  await step(steps.agent, async () => {
    await ran('open', ['-a', app]);
    await desk
      .until('the agent', async () => /^\s*state = running$/m.test(await asked('launchctl', ['print', agent])), 60)
      .finally(() => desk.picture('as-a-person-has-it'));
    await desk.until('its daemon', () => existsSync(join(usual, 'control.sock')), 60);
  });
  desk.report(await asked('launchctl', ['print', agent]));
  // Who may read the shell secret, and which team it belongs to. Without -d, secrets aren't
  // printed.
  for (const item of (await asked('security', ['dump-keychain', '-a'])).split(/^keychain: /m)) {
    if (item.includes('/shell/secret')) desk.report(item);
  }
  await desk.quit().catch(error => desk.report(`  ${error.message}`));
  await asked('launchctl', ['bootout', agent]);
}

const words = process.argv.slice(2);
if (words[0] === '--steps') {
  process.stdout.write(
    Object.values(steps)
      .map(({ name }) => `${name}\n`)
      .join(''),
  );
} else if (process.platform !== 'darwin') {
  process.stderr.write('Sallyport.app can only be tried on macOS.\n');
  process.exitCode = 1;
} else {
  try {
    process.exitCode = await main(
      words.map(word => resolve(word)),
      join(homedir(), 'Library/Application Support/Sallyport'),
    );
  } finally {
    undoAll();
  }
  // Clients of a step that was given up may still wait.
  process.exit();
}
