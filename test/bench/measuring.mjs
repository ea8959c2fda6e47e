/**
 * Starts commands as a client does and times them, interleaved, so a busy moment of the machine
 * affects all alike. Judges nothing.
 */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const initialize = line({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
});

export function line(message) {
  return `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
}

/** A started stdio server; ask it one thing at a time. */
export class Started {
  #text = '';
  #hear = () => {};

  constructor(command, environment, folder = '/') {
    this.began = performance.now();
    this.child = spawn(command[0], command.slice(1), {
      env: environment,
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.gone = new Promise(resolve => this.child.once('close', resolve));
    this.child.stderr.setEncoding('utf8').on('data', text => {
      this.said = (this.said ?? '') + text;
    });
    this.child.stdin.on('error', () => {});
    this.child.stdout.setEncoding('utf8').on('data', text => {
      this.#text += text;
      this.#hear();
    });
  }

  /** @returns milliseconds until the next line; rejects if that line is an error. */
  ask(request, timeoutMilliseconds = 20_000) {
    const asked = performance.now();
    return new Promise((resolve, reject) => {
      const fail = reason => reject(new Error(`${this.child.spawnargs.join(' ')}: ${reason} ${this.said ?? ''}`));
      const timer = setTimeout(() => fail('no answer'), timeoutMilliseconds);
      void this.gone.then(() => fail('ended'));
      this.#hear = () => {
        const end = this.#text.indexOf('\n');
        if (end === -1) return;
        const took = performance.now() - asked;
        const answer = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        clearTimeout(timer);
        if ('error' in JSON.parse(answer)) fail(answer);
        else resolve(took);
      };
      if (request !== null) this.child.stdin.write(request);
    });
  }

  get residentMegabytes() {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.child.pid}/status`, 'utf8'));
    return Number(kilobytes) / 1024;
  }

  async stop() {
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 3_000);
    await this.gone;
    clearTimeout(timer);
  }
}

/** Milliseconds from the start to the first answer, or to the end if a command answers nothing. */
export async function firstAnswer({ command, answers = true, environment }, shared) {
  const started = new Started(command, { ...shared, ...environment });
  if (answers) await started.ask(initialize);
  else {
    started.child.stdin.end();
    await started.gone;
  }
  const took = performance.now() - started.began;
  await started.stop();
  return took;
}

/**
 * @param measures functions that resolve to a number. Each runs once per round; the first round
 *   doesn't count.
 */
export async function interleaved(measures, rounds) {
  const taken = measures.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [index, measure] of measures.entries()) {
      const value = await measure();
      if (round >= 0) taken[index].push(value);
    }
  }
  return taken.map(median);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Only what an MCP client passes to its children: NODE_EXTRA_CA_CERTS alone costs every Node 35 ms.
 */
export function bareEnvironment(home) {
  const { PATH = '/usr/bin:/bin', HOME = '/' } = process.env;
  return { PATH, HOME, ...(home === undefined ? {} : { SALLYPORT_HOME: home }) };
}

export function print(text = '') {
  process.stdout.write(`${text}\n`);
}

export function row(name, value, note = '') {
  print(`  ${name.padEnd(44)}${value.padStart(8)}${note}`);
}

/**
 * @returns megabytes: the median of five that answered `initialize` and `tools/list` and then were
 *   left alone, as most bridges are.
 */
export async function residentAfterList(command, environment) {
  const sizes = [];
  for (let round = 0; round < 5; round++) {
    const started = new Started(command, environment);
    await started.ask(initialize);
    await started.ask(line({ id: 2, method: 'tools/list' }));
    sizes.push(started.residentMegabytes);
    await started.stop();
  }
  return median(sizes);
}
