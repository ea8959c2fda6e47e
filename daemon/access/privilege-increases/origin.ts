/** Which program asks through a shell, as far as the system tells, and how that is put into words. Looks nothing up. */

export interface ProcessOrigin {
  readonly pid: number;
  /** `/dev/pts/3`; null without a controlling terminal. */
  readonly terminal: string | null;
  /** The outermost first, the asking program last: `['claude', 'bash', 'sallyport']`. */
  readonly programs: readonly string[];
}

export function originWords(origin: ProcessOrigin | null, shell: string): string {
  if (origin === null) return `${shell === '' ? 'a program' : shell} that did not say which process it is`;
  const { pid, terminal, programs } = origin;
  const program = programs.at(-1) ?? 'a program';
  const above = programs.slice(0, -1);
  const started = above.length === 0 ? '' : `, started by ${above.join(', ')}`;
  return `${program} (process ${pid}${started}) ${terminal === null ? 'without a terminal' : `on ${terminal}`}`;
}
