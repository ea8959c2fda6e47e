/** The cost of work, however busy the machine is. */

/** @returns milliseconds of processor time that this process used meanwhile. */
export function processorMilliseconds(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
