/**
 * A PATH as a Mac has it, for the scripts that a Mac runs: its programs and no others, where BSD's
 * differ from this machine's a stand-in for them (program.sh), and a shell as `sh`.
 */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderOf } from '../../missing-programs.ts';
import { program } from '../built-app.ts';

const standIn = fileURLToPath(new URL('./program.sh', import.meta.url));

const differing =
  'cp cut date find grep gzip head install ln mktemp mv readlink realpath sed sort stat tail tar touch tr xargs'.split(
    ' ',
  );
const alike =
  'awk bash basename cat chmod cmp comm diff dirname du env expr false fold git id kill ls make mkdir openssl perl printf ps pwd python3 rm rmdir seq shasum sleep stty su tee test true tty uname uniq wc which'.split(
    ' ',
  );

/** Shells that a script may meet as `sh`: macOS's is bash 3.2, which is POSIX's by that name. */
export const shells = { dash: 'dash', 'bash as POSIX says': 'bash --posix', busybox: 'busybox sh' } as const;

/** @param shell the command line of one. @returns the folder. */
export function macPrograms(folder: string, shell: string = shells['bash as POSIX says']): string {
  for (const name of differing)
    program(join(folder, name), `name=${name} real='${join(folderOf([name]) ?? '', name)}'\n. '${standIn}'`);
  for (const name of alike) {
    const found = folderOf([name]);
    if (found !== null) symlinkSync(join(found, name), join(folder, name));
  }
  const [name = '', ...words] = shell.split(' ');
  program(join(folder, 'sh'), `exec '${join(folderOf([name]) ?? '', name)}' ${words.join(' ')} "$@"`);
  symlinkSync(process.execPath, join(folder, 'node'));
  symlinkSync(join(folderOf(['npm']) ?? '', 'npm'), join(folder, 'npm'));
  return folder;
}
