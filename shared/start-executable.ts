/**
 * The single executable's first code: runs the program by whose name it is called. It is the
 * daemon, the bridge and the command for people, by the names of its links; and each thread and
 * process that these start (shared/programs.ts).
 */

import './debugger-shut.ts';
import { readlinkSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { asksKeychainItself } from './app-bundle.ts';
import { embeddedRequire, loadEmbedded } from './embedded.ts';
import { startedFile } from './started-file.ts';

const called = ['sallyportd', 'sallyport-mcp', 'sallyport', 'keychain-worker', 'sqlite-worker', 'module-check'];

start();

function start(): void {
  const [, , word = ''] = process.argv;
  if (!isMainThread) {
    loadEmbedded(word);
    return;
  }
  const name = calledName(basename(process.argv0)) ?? linkedName(startedFile());
  if (name === 'module-check') checkModule(word);
  // Whoever starts it by this name would hear the keychain's secrets (start-keychain.ts).
  else if (name === 'keychain-worker' && asksKeychainItself()) process.exitCode = 1;
  // `sallyport mcp`, as in the package from npm.
  else if (word === 'mcp' && (name === undefined || name === 'sallyport')) loadEmbedded('sallyport-mcp');
  else loadEmbedded(name ?? 'sallyport');
}

function calledName(name: string): string | undefined {
  return called.find(each => each === name);
}

/**
 * A link of the user's own may have any name. It leads to a file with one of ours, or in
 * Sallyport.app first to a link with one.
 */
function linkedName(path: string): string | undefined {
  const name = calledName(basename(path));
  const next = name === undefined ? linkedFrom(path) : null;
  return next === null ? name : linkedName(next);
}

function linkedFrom(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}

/** For `sallyport doctor`. */
function checkModule(name: string): void {
  try {
    embeddedRequire(name);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    process.stderr.write(code === 'MODULE_NOT_FOUND' ? 'absent' : message);
    process.exitCode = 1;
  }
}
