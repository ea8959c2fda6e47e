/**
 * What the server says about itself, and which of the role's privileges no gate can contain (spec
 * §6).
 */

import { answering } from '../answering.ts';
import type { ServerStatus } from '../engine.ts';
import type { LookUp } from './look-up.ts';

export async function status(lookUp: LookUp, now: () => number): Promise<Omit<ServerStatus, 'isReadWallMissing'>> {
  const [facts = []] = await lookUp('SELECT VERSION(), CURRENT_USER(), DATABASE()');
  const [version, user, database] = facts;
  // The second question is timed: the first may have dialled.
  const before = now();
  const grants = await answering(() => lookUp('SHOW GRANTS'));
  const latencyMilliseconds = now() - before;
  const lines = grants.kind === 'done' ? grants.value.map(row => row[0] ?? '') : [];
  return {
    serverVersion: namedVersion(version ?? ''),
    currentUser: user ?? null,
    currentDatabase: database ?? null,
    currentSchema: null,
    latencyMilliseconds,
    warnings: privilegeWarnings(lines),
    mayWrite: lines.some(line => writingGrant.test(line.replace(columnList, ''))),
  };
}

/** `10.11.14-MariaDB-0+deb12u2`: MariaDB names itself, MySQL doesn't. */
function namedVersion(version: string): string {
  const [number = version] = version.split('-');
  return `${/mariadb/i.test(version) ? 'MariaDB' : 'MySQL'} ${number}`;
}

/** "SELECT (`a`, `b (c)`), UPDATE (`a`)": the columns of one privilege may come before another. */
const columnList = / \((?:[^()`]|`[^`]*`)*\)/g;

/** Before the first quoted name these words stand only in the list of privileges. */
const writingGrant = /^GRANT [A-Z ,]*\b(?:ALL PRIVILEGES|INSERT|UPDATE|DELETE|DROP|ALTER|SUPER)\b/;

/** @param grants lines of `SHOW GRANTS` */
function privilegeWarnings(grants: readonly string[]): string[] {
  const everywhere = grants.flatMap(line => {
    const privileges = /^GRANT (.*) ON \*\.\* TO /.exec(line)?.[1];
    return privileges === undefined ? [] : privileges.split(',').map(privilege => privilege.trim().toUpperCase());
  });
  const has = (privilege: string): boolean => everywhere.includes(privilege);
  const warnings: string[] = [];
  if (has('ALL PRIVILEGES')) {
    warnings.push('This user has all privileges on the whole server, files of the server included: use a lesser one.');
    return warnings;
  }
  if (has('SUPER')) warnings.push('This user has SUPER and can change the server itself: use a lesser one.');
  if (has('FILE')) warnings.push('This user has FILE and can read and write files of the server: use a lesser one.');
  return warnings;
}
