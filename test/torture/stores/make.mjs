/**
 * `node test/torture/stores/make.mjs COMMIT NAME`: makes a home with the code of that commit, kills
 * it at work, and packs the home beside this file with a list of its contents. Run it before a
 * release or a migration; existing homes stay unchanged.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { executeOn } from '../../sqlite-file.ts';
import { beginUnattended } from '../../unattended-home.mjs';

const [commit, name] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'sallyport-store-'));
const tree = join(folder, 'tree');
const home = join(folder, 'home');
const environment = { PATH: process.env.PATH, HOME: folder, SALLYPORT_HOME: home };
const run = (program, words, options = {}) =>
  execFileSync(program, words, { encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'], ...options });
const sallyport = (words, input = '') => run(join(tree, 'build/bin/sallyport'), words, { env: environment, input });
const mint = tokenName => JSON.parse(sallyport(['tokens', 'mint', '--name', tokenName, '--json']));

run('git', ['worktree', 'add', '--quiet', '--detach', tree, commit], { cwd: root });
try {
  run('cp', ['-al', join(root, 'node_modules'), tree]);
  run('touch', [join(tree, 'node_modules/.installed')]);
  run('make', ['-C', tree, 'build']);
  const file = join(folder, 'shop.db');
  executeOn(file, 'create table orders (id integer primary key)');
  // Nothing needs confirmation in it; an older version ignores the mark and leaves it.
  beginUnattended(home);
  sallyport(['start']);
  sallyport(['connections', 'add', `sqlite://${file}`, '--name', 'Shop']);
  sallyport(
    ['connections', 'add', 'postgresql://shop@127.0.0.1:5432/shop', '--name', 'With a password', '--password-stdin'],
    'no real one',
  );
  const [kept, revoked] = [mint('kept'), mint('revoked')];
  sallyport(['tokens', 'revoke', revoked.id]);
  const settings = settingsSet();
  await readSomething(kept.token);
  // Rows of the log are written within a second; a kill loses the rest.
  await pause(1_500);
  process.kill(handshake().pid, 'SIGKILL');
  run('tar', [
    '-czf',
    join(import.meta.dirname, `${name}.tar.gz`),
    '--exclude=*.sock',
    '--exclude=logs',
    '--exclude=unattended',
    '-C',
    home,
    '.',
  ]);
  const left = {
    commit: run('git', ['rev-parse', '--short', commit], { cwd: root }).trim(),
    tokens: [
      { name: 'kept', plaintext: kept.token, state: 'valid' },
      { name: 'revoked', plaintext: revoked.token, state: 'revoked' },
    ],
    connections: ['Shop', 'With a password'],
    settings,
  };
  writeFileSync(join(import.meta.dirname, `${name}.json`), `${JSON.stringify(left, null, 2)}\n`);
} finally {
  run('git', ['worktree', 'remove', '--force', tree], { cwd: root });
  rmSync(folder, { recursive: true, force: true });
}

function handshake() {
  return JSON.parse(readFileSync(join(home, 'mcp-handshake.json'), 'utf8'));
}

/** The first stores had none. */
function settingsSet() {
  try {
    sallyport(['settings', 'set', 'results.maxRows', '1234']);
    return { 'results.maxRows': 1234 };
  } catch {
    return {};
  }
}

async function readSomething(token) {
  const params = { name: 'execute_query', arguments: { connection: 'Shop', sql: 'select count(*) from orders' } };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'maker of stores', version: '1' },
  };
  const answer = await fetch(`http://127.0.0.1:${handshake().port}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${token}`,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': params.name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta } }),
  });
  if (!answer.ok) throw new Error(`${commit} answered a query with ${answer.status}: ${await answer.text()}`);
}
