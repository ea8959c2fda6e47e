/**
 * Checks whether this install's programs are as they were built, whether only their owner can
 * change them, and what `sallyport` starts (SECURITY.md). Misses edits of a program together with
 * its line in the manifest, and edits of packages. Changes nothing.
 */

import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { isObject, parsedJson } from '../../shared/json.ts';
import { programFile } from '../../shared/programs.ts';
import { type Check, ok, problem } from './check.ts';

const again = 'find out who changed it, then build or install Sallyport again';

/** @param bundle the folder of the bundled programs, with the manifest. */
export function checkPrograms(bundle: string = dirname(programFile('store-worker'))): Check[] {
  const manifest = textOf(join(bundle, 'manifest.json'));
  const listed = manifest === null ? null : parsedJson(manifest.toString('utf8'));
  if (!isObject(listed))
    return [problem('programs', `${join(bundle, 'manifest.json')}, by which changes are seen, is missing.`, again)];
  const root = dirname(bundle);
  // A package may contain fewer programs than were built.
  const there = Object.entries(listed).flatMap(([name, hash]) => {
    const content = textOf(join(root, name));
    return content === null ? [] : [{ path: join(root, name), isAsBuilt: hashOf(content) === hash }];
  });
  const changed = there.filter(({ isAsBuilt }) => !isAsBuilt).map(({ path }) => path);
  const folders = [...new Set(there.map(({ path }) => dirname(path)))];
  const open = [...folders, ...there.map(({ path }) => path)].filter(othersMayWrite);
  return [
    changed.length === 0
      ? ok('programs', `${there.length} files of this install are as they were built.`)
      : problem(
          'programs',
          `${someOf(changed)} not as built: another program may have changed what Sallyport does.`,
          again,
        ),
    ...(open.length === 0
      ? []
      : [
          problem(
            'programs',
            `${someOf(open)} writable by others than you.`,
            'remove the write permission of others there',
          ),
        ]),
  ];
}

/** The first `sallyport` that a shell finds. @param script the one that runs now. */
export function checkPath(path: string | undefined, script: string): Check[] {
  const folders = (path ?? '').split(':').filter(isAbsolute);
  const first = folders.map(folder => join(folder, 'sallyport')).find(isProgram);
  if (first === undefined) return [];
  const [found, own] = [realpathSync(first), realpathSync(script)];
  if (found === own || dirname(found) === dirname(own)) return [ok('path', `\`sallyport\` starts ${first}, this one.`)];
  const says = `\`sallyport\` starts ${first}, which is not this one, ${own}.`;
  return [problem('path', says, 'remove it, or put the folder of the right one before it in PATH')];
}

function someOf(paths: readonly string[]): string {
  const [first = ''] = paths;
  return paths.length === 1 ? `${first} is` : `${first} and ${paths.length - 1} more are`;
}

/** A group that has only this user counts as this user. */
function othersMayWrite(path: string): boolean {
  const { uid, gid, mode } = statSync(path);
  const isTrusted = uid === 0 || uid === process.getuid?.();
  const isOwnGroup = gid === 0 || gid === process.getgid?.();
  return !isTrusted || (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isOwnGroup);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function textOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
