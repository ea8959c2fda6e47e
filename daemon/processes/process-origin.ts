/**
 * Looks up a process's program, its terminal, and the programs that started it. Reads /proc, or
 * asks `ps` if there is none.
 */

import { readFile, readlink } from 'node:fs/promises';
import { nameOfProgram, nameOfTitle } from '../../shared/program-name.ts';
import type { ProcessOrigin } from '../access/privilege-increases/origin-words.ts';
import { type KnownProcess, type ProcessLookup, processTable } from './process-table.ts';

const longestChain = 12;

/**
 * @returns null if no living process of this user has that id. A shell states its own id and may
 *   lie. That changes the log's words, and whether questions wait for its answer. It allows
 *   nothing: an approval needs the passphrase.
 */
export async function processOrigin(pid: number): Promise<ProcessOrigin | null> {
  try {
    return await originFrom(process.platform === 'linux' ? inProc : await processTable(), pid);
  } catch {
    // It has ended meanwhile, or the system doesn't tell.
    return null;
  }
}

/** @throws if the process has ended. */
export async function originFrom(lookup: ProcessLookup, pid: number): Promise<ProcessOrigin | null> {
  const asking = await lookup(pid);
  if (asking === null || asking.uid !== process.getuid?.()) return null;
  const programs = [asking.name];
  const pids = [pid];
  let { parent } = asking;
  while (programs.length < longestChain && parent > 0) {
    const above = await lookup(parent).catch(() => null);
    if (above === null || (parent === 1 && systemStarters.has(above.name))) break;
    programs.unshift(above.name);
    pids.unshift(parent);
    parent = above.parent;
  }
  // Those without a terminal share a place: a program may leave its tree, and end without one.
  const place = [asking.group, asking.terminal === null ? 'no terminal' : 'terminal'];
  return { pid, terminal: asking.terminal, programs, lineage: [...place, ...pids.map(String)] };
}

/** They stand above every process and tell nothing; in a container process 1 may be any program. */
const systemStarters: ReadonlySet<string> = new Set(['systemd', 'init', 'launchd']);

/** @throws if it has ended. */
async function inProc(pid: number): Promise<KnownProcess | null> {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8');
  const group = read('cgroup').catch(() => '');
  const [stat, status, line] = await Promise.all([read('stat'), read('status'), read('cmdline')]);
  // The name in parentheses may contain parentheses.
  const nameEnd = stat.lastIndexOf(')');
  const plain = stat.slice(stat.indexOf('(') + 1, nameEnd);
  const [state = '', parent = '', , , device = ''] = stat.slice(nameEnd + 2).split(' ');
  if (state === 'Z' || state === 'X') return null;
  const uid = /^Uid:\t(\d+)\t/m.exec(status)?.[1] ?? '';
  return {
    parent: Number(parent),
    uid: uid === '' ? -1 : Number(uid),
    terminal: terminalOf(Number(device)),
    group: await group,
    name: await nameIn(line, plain, pid),
  };
}

async function nameIn(line: string, plain: string, pid: number): Promise<string> {
  const padded = line.split('\0');
  const words = padded.slice(0, padded.findLastIndex(word => word !== '') + 1);
  const [program = ''] = words;
  if (words.length > 1 || !program.includes(' ')) return nameOfProgram(words, plain);
  // A title, or a path with a blank in it. The system doesn't tell another user's program.
  const file = await readlink(`/proc/${pid}/exe`).catch(() => null);
  return file === null ? nameOfTitle(program) : nameOfProgram([file], plain);
}

/**
 * @param device numbered as in /proc/PID/stat: the minor number's high bits are above the major
 *   number.
 */
function terminalOf(device: number): string | null {
  if (device === 0) return null;
  const major = (device >>> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >>> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  return major === 4 && minor < 64 ? `/dev/tty${minor}` : 'a terminal';
}
