/** Finds a connection's password when it dials: in the secret store, or printed by the user's command (spec §6). Never logged. */

import { execFile } from 'node:child_process';
import { freshEnvironment } from '../../../shared/launch.ts';
import type { Connection } from '../../access/connection.ts';
import type { ConnectionRegister } from '../../access/connection-register.ts';
import { type SecretStore, SecretStoreUnavailable } from '../../access/secret-store.ts';

const commandSeconds = 10;
const maxPasswordBytes = 64 * 1024;

/** @throws SecretStoreUnavailable, or PasswordCommandFailed; neither says anything the command printed. */
export async function passwordOf(connection: Connection, secrets: SecretStore): Promise<string | null> {
  switch (connection.password.kind) {
    case 'none':
      return null;
    case 'command':
      return runPasswordCommand(connection.password.command);
    case 'stored': {
      const read = await secrets.read('password', connection.id);
      if (read.kind === 'unavailable') throw new SecretStoreUnavailable(read.problem);
      return read.kind === 'found' ? read.value : null;
    }
  }
}

/**
 * A kill between a connection and its password, at its save or its removal, leaves a password that belongs to nobody. For the start,
 * before anything can be saved. @throws SecretStoreUnavailable
 */
export async function deleteOrphanedPasswords(
  secrets: SecretStore,
  connections: Pick<ConnectionRegister, 'list' | 'damaged'>,
): Promise<void> {
  const withPassword = connections.list().filter(({ password }) => password.kind === 'stored');
  // Whether a connection whose record can't be read has one, nobody knows: a backup may bring it back.
  const owners = new Set([...withPassword, ...connections.damaged()].map(({ id }) => id));
  for (const id of await secrets.list('password')) if (!owners.has(id)) await secrets.delete('password', id);
}

class PasswordCommandFailed extends Error {
  constructor(problem: string) {
    super(`The password command ${problem}.`);
    this.name = 'PasswordCommandFailed';
  }
}

function runPasswordCommand(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      '/bin/sh',
      ['-c', command],
      {
        env: freshEnvironment(null),
        cwd: '/',
        timeout: commandSeconds * 1000,
        killSignal: 'SIGKILL',
        maxBuffer: maxPasswordBytes,
        encoding: 'utf8',
      },
      (error, output) => {
        // The error object carries the command's output: only what it says of the ending may leave here.
        if (error !== null) reject(new PasswordCommandFailed(endingOf(error)));
        else resolve(output.replace(/\r?\n$/, ''));
      },
    );
    child.stdin?.end();
  });
}

function endingOf(error: { code?: unknown; killed?: boolean }): string {
  if (error.killed) return `gave no password within ${commandSeconds} s`;
  if (typeof error.code === 'number') return `ended with exit code ${error.code}`;
  return typeof error.code === 'string' ? `could not be run (${error.code})` : 'could not be run';
}
