/**
 * Checks whether this Node loads each package with machine code or WebAssembly. One made for
 * another Node, or a missing library, would end the daemon. Each is loaded in its own process, so a
 * crash is reported too.
 */

import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { isSea } from 'node:sea';
import { noDebugger } from '../../shared/no-debugger.ts';
import { programFile } from '../../shared/programs.ts';
import { type Check, ok, problem } from './check.ts';

export const nativeModules = ['@napi-rs/keyring', 'libpg-query'] as const;

/** Without it the secrets are in a file; the check `secrets` tells that. */
const isOptional = (name: string): boolean => name === '@napi-rs/keyring';
const waitMilliseconds = 20_000;
const loading =
  'import(process.argv[1]).catch(e => { console.error(e.code === "ERR_MODULE_NOT_FOUND" ? "absent" : e.message); process.exit(1) })';

/** @param bundle a folder of the install, where its packages are found from. */
export async function checkNativeModules(bundle: string = dirname(programFile('store-worker'))): Promise<Check[]> {
  const told = await Promise.all(nativeModules.map(async name => ({ name, why: await whyNotLoaded(name, bundle) })));
  const failed = told.filter(({ name, why }) => why !== null && !(why === 'absent' && isOptional(name)));
  if (failed.length === 0) return [ok('modules', 'Each native module loads.')];
  return failed.map(({ name, why }) =>
    problem(
      'modules',
      `${name} ${why === 'absent' ? 'is missing' : `can't be loaded: ${why}`}.`,
      'install Sallyport again',
    ),
  );
}

/** Null if it was loaded. */
function whyNotLoaded(name: string, cwd: string): Promise<string | null> {
  const words = isSea() ? [name] : [noDebugger, '--input-type=commonjs', '--eval', loading, name];
  const argv0 = isSea() ? 'module-check' : process.execPath;
  const child = spawn(process.execPath, words, {
    ...{ cwd, env: {}, argv0, timeout: waitMilliseconds },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(0, 300);
  });
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(null);
      else if (child.killed) resolve(`it took longer than ${waitMilliseconds / 1000} s`);
      else if (signal !== null) resolve(`its process was ended by ${signal}`);
      else resolve((said.split('\n')[0] ?? '').trim().replace(/\.$/, '') || `exit code ${code}`);
    });
  });
}
