/**
 * Runs the MCP Inspector's command line as a client of the built bridge, and over HTTP.
 * SALLYPORT_HOME, SALLYPORT_URL and SALLYPORT_TOKEN name a running daemon. Exits 0 if it saw what
 * it should, 1 otherwise.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const inspector = join(here, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const bridge = join(here, '../../build/bin/sallyport-mcp');
const { SALLYPORT_HOME: home, SALLYPORT_URL: url, SALLYPORT_TOKEN: token } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'sallyport-inspector-'));

/** It stores what it knows about servers in its home, so it gets its own. */
function inspect(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [inspector, '--cli', ...words], {
      env: { PATH: process.env.PATH, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', chunk => (stdout += chunk));
    child.stderr.on('data', chunk => (stderr += chunk));
    child.on('error', reject);
    child.on('close', code => resolve({ code, stdout, stderr }));
  });
}

const stdio = ['-e', `SALLYPORT_HOME=${home}`, bridge];
const http = [url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
const list = ['--method', 'tools/list'];
const call = (tool, ...pairs) => [
  '--method',
  'tools/call',
  '--tool-name',
  tool,
  ...pairs.flatMap(pair => ['--tool-arg', pair]),
];
const root = 'sallyport://connections';
const uris = stdout => JSON.parse(stdout).resources.map(resource => resource.uri);
const names = stdout => JSON.parse(stdout).tools.map(tool => tool.name);

const cases = [
  [
    'the tools, held against what model providers take',
    [...stdio, ...list, '--strict'],
    0,
    out => names(out).includes('execute_query'),
  ],
  ['the tools over HTTP', [...http, ...list], 0, out => names(out).includes('confirm_destructive_operation')],
  ['the resources', [...stdio, '--method', 'resources/list'], 0, out => uris(out).includes(root)],
  ['the resources over HTTP', [...http, '--method', 'resources/list'], 0, out => uris(out).includes(root)],
  ['a resource', [...http, '--method', 'resources/read', '--uri', root], 0, out => out.includes('connections')],
  ['the templates', [...http, '--method', 'resources/templates/list'], 0, out => out.includes(`${root}/{connection}`)],
  ['the prompts', [...http, '--method', 'prompts/list'], 0, out => out.includes('question_to_sql')],
  [
    'a call',
    [...stdio, ...call('list_connections')],
    0,
    out => Array.isArray(JSON.parse(out).structuredContent.connections),
  ],
  [
    'a call that is refused',
    [...stdio, ...call('execute_query', 'connection=none', 'sql=select 1')],
    null,
    (out, err) => /none/.test(out + err),
  ],
];

const problems = [];
try {
  for (const [what, words, expected, holds] of cases) {
    const { code, stdout, stderr } = await inspect(words);
    let held = false;
    try {
      held = (expected === null || code === expected) && holds(stdout, stderr);
    } catch {
      // Its output doesn't have the expected form: a failure like any other.
    }
    process.stdout.write(`${held ? 'pass' : 'FAIL'}  Inspector   ${what}\n`);
    if (!held) problems.push(`Inspector, ${what}: exit ${code}\n${(stdout + stderr).slice(0, 1_000)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
