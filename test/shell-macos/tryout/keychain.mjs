/**
 * A keychain of the tryout's own in the place of the login keychain. What is made meanwhile goes
 * into it. The app may read there what macOS would otherwise ask its owner about. The login
 * keychain is put back at the end. No password is among a command's arguments.
 */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { undo } from './commands.mjs';

const service = 'Sallyport';
const commandSeconds = 20;

export function throwAwayKeychain(folder) {
  const file = join(folder, 'tryout.keychain-db');
  const password = randomBytes(16).toString('hex');
  const before = { list: paths('list-keychains', '-d', 'user'), first: paths('default-keychain', '-d', 'user')[0] };
  undo(() => {
    if (before.first !== undefined) security('default-keychain', '-d', 'user', '-s', before.first);
    security('list-keychains', '-d', 'user', '-s', ...before.list);
    security('delete-keychain', file);
  });
  typed(`create-keychain -p ${password} "${file}"`);
  // It has no time after which it locks itself.
  security('set-keychain-settings', file);
  typed(`unlock-keychain -p ${password} "${file}"`);
  security('list-keychains', '-d', 'user', '-s', file, ...before.list);
  security('default-keychain', '-d', 'user', '-s', file);

  return {
    /**
     * With an ad hoc signature, only the very build that made an item can read it. So this item is
     * made anew, for any program that is among its partitions. Both are needed: `-A` alone still
     * asks (github.com/cachix/secretspec/issues/438).
     * @param account of the shell secret.
     * @param programs those that may read it.
     */
    share(account, programs) {
      const partitions = ['apple-tool:', 'apple:', ...programs.map(codeHash)].join(',');
      security('delete-generic-password', '-s', service, '-a', account, file);
      // Made up as the daemon does it (daemon/access/privilege-increases/owner-app.ts).
      const secret = `keychain.${randomBytes(32).toString('base64url')}`;
      typed(`add-generic-password -A -s ${service} -l ${service} -a ${account} -w ${secret} "${file}"`);
      typed(
        `set-generic-password-partition-list -S ${partitions} -s ${service} -a ${account} -k ${password} "${file}"`,
      );
    },
  };
}

/**
 * False if a team signed it. Then the team's programs read each other's items, which is the very
 * thing to be tried.
 */
export function isAdHoc(app) {
  return /^Signature=adhoc$/m.test(signature(app));
}

function codeHash(program) {
  const [, hash] = /^CDHash=([0-9a-f]+)$/m.exec(signature(program)) ?? [];
  if (hash === undefined) throw new Error(`${program} is not signed`);
  return `cdhash:${hash}`;
}

/** `codesign` says it on standard error. */
function signature(program) {
  const how = { encoding: 'utf8', timeout: commandSeconds * 1000 };
  return execFileSync('sh', ['-c', 'codesign --display --verbose=4 "$1" 2>&1', 'sh', program], how);
}

function security(...words) {
  return execFileSync('security', words, { encoding: 'utf8', timeout: commandSeconds * 1000 });
}

/**
 * Types a command with a password in it to `security`. Only a complaint after its prompt tells of a
 * failure.
 */
function typed(line) {
  const how = { encoding: 'utf8', timeout: commandSeconds * 1000, input: `${line}\n` };
  const said = execFileSync('sh', ['-c', 'security -i 2>&1'], how);
  const [, complaint] = /^(?:security> )*((?:security|Usage): .*)$/m.exec(said) ?? [];
  if (complaint !== undefined) throw new Error(`security ${line.split(' ')[0]}: ${complaint}`);
}

/** `security` lists them one per line, in quotes. */
function paths(...words) {
  return [...security(...words).matchAll(/"([^"]+)"/g)].map(([, path]) => path);
}
