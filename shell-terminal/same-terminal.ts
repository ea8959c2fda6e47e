/**
 * Whether something was done a moment ago on this terminal, by whoever sits here: the shell that
 * this command was typed into is older than the deed, so the terminal was this shell's then. The
 * next shell on a terminal of the same name is younger.
 */

import { runProgram } from './run-program.ts';

/** Later, a person may have left this terminal, and others' keys (`tmux send-keys`) be in it. */
const momentMilliseconds = 3_600_000;

/** @param deed its time (ISO 8601), and the terminal's path. */
export async function wasDoneHere({ at, terminal }: { readonly at: string; readonly terminal?: string | undefined }) {
  const age = Date.now() - Date.parse(at);
  if (terminal === undefined || !(age >= 0 && age < momentMilliseconds)) return false;
  const words = ['-o', 'tty=', '-o', 'etime=', '-p', String(process.ppid)];
  const { stdout } = await runProgram('ps', words, { timeout: 1_000 });
  const [tty = '', elapsed = ''] = stdout.trim().split(/\s+/);
  // `?` is none.
  return !tty.startsWith('?') && terminal === `/dev/${tty}` && elapsedMilliseconds(elapsed) > age;
}

/** `[[days-]hours:]minutes:seconds`, as POSIX has it. */
export function elapsedMilliseconds(elapsed: string): number {
  const [, days = '0', hours = '0', minutes, seconds] = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)$/.exec(elapsed) ?? [];
  if (minutes === undefined) return 0;
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}
