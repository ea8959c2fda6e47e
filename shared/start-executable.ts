/**
 * The single executable's first code: runs the program by whose name it is called. It is the
 * daemon, the bridge and the command for people, by the names of its links; and each thread and
 * process that these start (shared/programs.ts).
 */

import './debugger-shut.ts';
import { basename } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { embeddedRequire, loadEmbedded } from './embedded.ts';

const called = ['sallyportd', 'sallyport-mcp', 'sallyport', 'keychain-worker', 'sqlite-worker', 'module-check'];

start();

function start(): void {
  const [, , word = ''] = process.argv;
  if (!isMainThread) {
    loadEmbedded(word);
    return;
  }
  // A link of the user's own may have any name; then the file that it leads to has one of these.
  const name = [process.argv0, process.execPath].map(path => basename(path)).find(path => called.includes(path));
  if (name === 'module-check') checkModule(word);
  // `sallyport mcp`, as in the package from npm.
  else if (word === 'mcp' && (name === undefined || name === 'sallyport')) loadEmbedded('sallyport-mcp');
  else loadEmbedded(name ?? 'sallyport');
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
