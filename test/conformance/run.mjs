/**
 * Runs the public conformance suite on a running daemon: SALLYPORT_URL=http://127.0.0.1:PORT/mcp
 * SALLYPORT_TOKEN=… node run.mjs. The token is in the environment because everyone sees arguments.
 * Exits 0 if all applying checks passed; 1 if one failed, an exception is no longer needed or a
 * scenario is unclassified; 2 on misuse. `--list` prints what is run and what isn't.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBearerProxy } from './bearer-proxy.mjs';
import { applying, notApplying } from './scenarios.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const say = line => process.stdout.write(`${line}\n`);

function runSuite(args, workFolder) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...args], { cwd: workFolder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', chunk => (output += chunk));
    child.stderr.on('data', chunk => (output += chunk));
    child.on('error', reject);
    child.on('close', () => resolve(output));
  });
}

/** @returns the problems, one per line; none means it passed. */
async function runScenario(url, version, scenario, excused) {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-conformance-'));
  try {
    const args = ['server', '--url', url, '--scenario', scenario, '--spec-version', version, '--output-dir', folder];
    const output = await runSuite(args, folder);
    const file = readdirSync(folder, { recursive: true }).find(name => String(name).endsWith('checks.json'));
    if (file === undefined) return [`it left no result: ${output.trim().split('\n').slice(-3).join(' ')}`];
    const checks = JSON.parse(readFileSync(join(folder, String(file)), 'utf8'));
    const failed = checks.filter(check => check.status === 'FAILURE');
    const needless = Object.keys(excused).filter(id => !failed.some(check => check.id === id));
    const problems = [
      ...failed
        .filter(({ id }) => !(id in excused))
        .map(check => `${check.id}: ${check.errorMessage ?? check.description}`),
      ...needless.map(id => `${id} passes or is gone: take its excuse away`),
    ];
    const passed = checks.filter(check => check.status === 'SUCCESS').length;
    say(
      `${problems.length === 0 ? 'pass' : 'FAIL'}  ${version}  ${scenario}  (${passed} checks passed${excuses(excused)})`,
    );
    return problems;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function excuses(excused) {
  const count = Object.keys(excused).length;
  return count === 0 ? '' : `, ${count} excused`;
}

async function unclassified() {
  const problems = [];
  for (const [version, scenarios] of Object.entries(applying)) {
    const output = await runSuite(['list', '--server', '--spec-version', version], here);
    const all = [...output.matchAll(/^\s+- (\S+)/gm)].map(match => match[1]);
    if (all.length === 0) problems.push(`${version}: the suite lists no scenario`);
    problems.push(
      ...all
        .filter(name => !(name in scenarios) && !(name in notApplying))
        .map(name => `${version}: ${name} is a scenario nobody has judged: add it to scenarios.mjs`),
    );
  }
  return problems;
}

if (process.argv.includes('--list')) {
  for (const [version, scenarios] of Object.entries(applying)) {
    for (const [name, excused] of Object.entries(scenarios)) {
      say(`run   ${version}  ${name}`);
      for (const [id, reason] of Object.entries(excused)) say(`      but ${id}: ${reason}`);
    }
  }
  for (const [name, reason] of Object.entries(notApplying)) say(`skip  ${name}: ${reason}`);
  process.exit(0);
}

const { SALLYPORT_URL: target, SALLYPORT_TOKEN: token } = process.env;
if (!target || !token) {
  process.stderr.write('Set SALLYPORT_URL and SALLYPORT_TOKEN to a running daemon and a token of it.\n');
  process.exit(2);
}
const proxy = await startBearerProxy(target, token);
const problems = await unclassified();
try {
  for (const [version, scenarios] of Object.entries(applying)) {
    for (const [scenario, excused] of Object.entries(scenarios)) {
      for (const problem of await runScenario(proxy.url, version, scenario, excused)) {
        problems.push(`${version} ${scenario}: ${problem}`);
      }
    }
  }
} finally {
  proxy.close();
}
for (const problem of problems) say(problem);
say(problems.length === 0 ? 'Every applying check of the conformance suite passed.' : `${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);
