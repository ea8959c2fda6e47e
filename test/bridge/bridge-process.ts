/**
 * Starts a bridge as a client does: a process of its own, with lines to its stdin and from its
 * stdout.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { here, lateError } from '../waiting/limits.ts';

const built = join(import.meta.dirname, '..', '..', 'build');

/** Installs the bridge alone. A sallyportd stands beside it only if its script is given. */
export function installBridge(folder: string, daemonScript: string | null): string {
  for (const room of ['bridge', 'shared']) cpSync(join(built, room), join(folder, room), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  if (daemonScript !== null) {
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin', 'sallyportd'), daemonScript, { mode: 0o755 });
  }
  return join(folder, 'bridge', 'main.js');
}

export interface JsonLine {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export class BridgeProcess {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  readonly exited: Promise<number | null>;
  stderr = '';
  #rest = '';
  #waiting: (() => void)[] = [];

  constructor(command: readonly string[], home: string, environment: Record<string, string | undefined> = {}) {
    const [file, ...parameters] = command;
    this.child = spawn(file ?? '', parameters, {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, SALLYPORT_HOME: home, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdin?.on('error', () => this.#wake());
    this.child.stdout?.setEncoding('utf8').on('data', text => this.#hear(text));
    this.child.stderr?.setEncoding('utf8').on('data', text => {
      this.stderr += text;
    });
    this.exited = new Promise(resolve => this.child.once('exit', code => resolve(code)));
    void this.exited.then(() => this.#wake());
  }

  send(message: object | string): void {
    this.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  write(bytes: string | Buffer): void {
    this.child.stdin?.write(bytes);
  }

  /** Waits for the first line that satisfies `wanted`; all other lines stay. */
  async line(wanted: (message: JsonLine) => boolean, timeoutMilliseconds = 15_000): Promise<string> {
    const began = performance.now();
    const deadline = began + here(timeoutMilliseconds);
    for (let seen = 0; ; ) {
      for (; seen < this.lines.length; seen++) {
        const line = this.lines[seen] ?? '';
        if (wanted(JSON.parse(line))) return line;
      }
      if (this.child.exitCode !== null) throw new Error(`the bridge has ended: ${this.stderr}`);
      if (!(await this.#wait(deadline - performance.now())))
        throw lateError(performance.now() - began, `such a line comes; got ${this.lines.join('\n').slice(0, 2000)}`);
    }
  }

  async answer(id: unknown, timeoutMilliseconds = 15_000): Promise<JsonLine> {
    return JSON.parse(
      await this.line(message => message.id === id && message.method === undefined, timeoutMilliseconds),
    );
  }

  async ask(message: { readonly id: unknown }, timeoutMilliseconds = 15_000): Promise<JsonLine> {
    this.send(message);
    return this.answer(message.id, timeoutMilliseconds);
  }

  async stop(): Promise<void> {
    this.child.stdin?.end();
    const gone = await Promise.race([this.exited.then(() => true), pause(here(3_000)).then(() => false)]);
    if (!gone) this.child.kill('SIGKILL');
    await this.exited;
  }

  #hear(text: string): void {
    const [first = '', ...others] = text.split('\n');
    // Not searched again: a line of megabytes arrives in hundreds of pieces.
    this.#rest += first;
    for (const other of others) {
      this.lines.push(this.#rest);
      this.#rest = other;
    }
    this.#wake();
  }

  #wait(milliseconds: number): Promise<boolean> {
    if (milliseconds <= 0) return Promise.resolve(false);
    return new Promise(resolve => {
      const timer = setTimeout(() => resolve(false), milliseconds);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds).unref());
}

/** A request of 2026-07-28 with the envelope that each one needs. */
export function modern(id: unknown, method: string, params: Record<string, unknown> = {}): { readonly id: unknown } {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'raw lines', version: '1' },
  };
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } } as { readonly id: unknown };
}

export function legacy(id: unknown, method: string, params?: Record<string, unknown>): { readonly id: unknown } {
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) } as { readonly id: unknown };
}
