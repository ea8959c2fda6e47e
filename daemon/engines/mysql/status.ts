/**
 * What the server says about itself, and which of the role's privileges no gate can contain (spec
 * §6).
 */

import { answering } from '../answering.ts';
import type { WithoutWall } from '../read-wall-status.ts';
import type { LookUp } from './look-up.ts';

export async function status(lookUp: LookUp, now: () => number): Promise<WithoutWall> {
  const [[version, user, database] = []] = await lookUp('SELECT VERSION(), CURRENT_USER(), DATABASE()');
  // Servers that are almost MySQL may not have it.
  const commented = await answering(() => lookUp('SELECT @@version_comment'));
  const comment = commented.kind === 'done' ? commented.value[0]?.[0] : null;
  // A later question is timed: the first may have dialled.
  const before = now();
  const grants = await answering(() => lookUp('SHOW GRANTS'));
  const latencyMilliseconds = now() - before;
  const lines = grants.kind === 'done' ? grants.value.map(row => row[0] ?? '') : [];
  return {
    serverVersion: namedVersion(version ?? '', comment ?? ''),
    currentUser: user ?? null,
    currentDatabase: database ?? null,
    currentSchema: null,
    latencyMilliseconds,
    warnings: privilegeWarnings(lines),
    mayWrite: lines.some(line => writingGrant.test(line.replace(columnList, ''))),
  };
}

/**
 * `10.11.14-MariaDB-0+deb12u2`: MariaDB names itself, MySQL (`9.7.4`, `8.0.36-0ubuntu0.22.04.1`)
 * doesn't. Others (`8.0.11-TiDB-v8.5.3`) are told as they name themselves, some by the comment
 * alone (`StarRocks version 3.3.0`).
 */
export function namedVersion(version: string, comment: string): string {
  const [number = version, ...more] = version.split('-');
  if (/mariadb/i.test(version)) return `MariaDB ${number}`;
  if (more.some(part => /^[a-z]{4}/i.test(part) && !ofPackage.test(part))) return version;
  return /^\W*(?:mysql|source distribution|ubuntu|debian|homebrew|$)/i.test(comment)
    ? `MySQL ${number}`
    : `${version} (${comment})`;
}

/** What builds of MySQL itself add to its version. */
const ofPackage =
  /^(?:debug|valgrind|enterprise|commercial|advanced|community|standard|cluster|nightly|ubuntu|debian)/i;

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
