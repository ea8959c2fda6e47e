/**
 * Who asks the login keychain: a process of its own, which can be ended when it hangs; in macOS's
 * executable a thread of this one. There the keychain gives our executable the secrets unasked, and
 * one that answers whoever started it would hand them on.
 */

import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { asksKeychainItself } from './app-bundle.ts';
import type { KeychainAnswer, KeychainCall } from './keychain-call.ts';
import { programCommand, programThread } from './programs.ts';

/** What is used of a child process. It tells `message`, `error` and `exit`. */
export interface KeychainWorker {
  readonly channel?: { ref(): void; unref(): void } | null | undefined;
  ref(): void;
  unref(): void;
  kill(signal: 'SIGKILL'): boolean;
  send(call: KeychainCall, sent: (error: Error | null) => void): boolean;
  on(event: 'message', heard: (answer: KeychainAnswer) => void): this;
  on(event: 'error', heard: (error: Error) => void): this;
  on(event: 'exit', heard: (code: number | null, signal: string | null) => void): this;
  once(event: 'exit', heard: (code: number | null, signal: string | null) => void): this;
}

/**
 * @param environment of the process; a thread has this one's, and macOS looks for no bus.
 * @param file of another worker, for tests.
 */
export function startKeychain(environment: Readonly<Record<string, string>>, file?: string): KeychainWorker {
  if (asksKeychainItself()) return new KeychainThread();
  const { executable, words, argv0 } = programCommand('keychain-worker', file);
  return spawn(executable, words, {
    argv0,
    env: { ...environment },
    cwd: '/',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  }) as KeychainWorker;
}

/** Those whose call waits, perhaps for a person. Nothing ends such a call but the process's end. */
const waiting = new Set<KeychainThread>();

/** A thread in the place of a process. */
class KeychainThread extends EventEmitter implements KeychainWorker {
  readonly #thread: Worker;
  #isGivenUp = false;

  constructor() {
    super();
    const { source, options } = programThread('keychain-worker');
    this.#thread = new Worker(source, options);
    this.#thread.on('message', answer => this.#tell('message', answer));
    this.#thread.on('error', error => this.#tell('error', error));
    this.#thread.on('exit', code => this.#tell('exit', code, null));
    process.off('exit', endBesideCall).once('exit', endBesideCall);
  }

  #tell(event: string, ...told: readonly unknown[]): void {
    waiting.delete(this);
    if (this.#isGivenUp) void this.#thread.terminate();
    else this.emit(event, ...told);
  }

  send(call: KeychainCall, sent: (error: Error | null) => void): boolean {
    // Each holds one of the few threads that also read and write our files.
    if ([...waiting].some(each => each.#isGivenUp)) {
      setImmediate(() => this.emit('message', { kind: 'failed', problem: unanswered }));
    } else {
      waiting.add(this);
      this.#thread.postMessage(call);
    }
    sent(null);
    return true;
  }

  /** A call that waits goes on, and nobody hears of it. */
  kill(): boolean {
    if (this.#isGivenUp) return false;
    this.#isGivenUp = true;
    this.#thread.unref();
    if (!waiting.has(this)) void this.#thread.terminate();
    setImmediate(() => this.emit('exit', null, 'SIGKILL'));
    return true;
  }

  ref(): void {
    this.#thread.ref();
  }

  unref(): void {
    this.#thread.unref();
  }
}

const unanswered = 'it has not answered an earlier call yet; look for a window that asks you';

/**
 * Node would wait for the call. Exchanged for a shell that only ends, the process ends with its own
 * code, which a signal would hide.
 */
function endBesideCall(code: number): void {
  if (waiting.size > 0) process.execve?.('/bin/sh', ['sh', '-c', `exit ${code}`], {});
}
