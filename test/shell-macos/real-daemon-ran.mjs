/**
 * Whether the tests beside the real daemon ran. `swift test` also ends well if they skipped
 * themselves. Reads what it printed.
 */

/**
 * On Linux `'RealDaemonTests.testName'`, on a Mac `'-[ShellRulesTests.RealDaemonTests testName]'`.
 */
const verdict = /^Test Case '(?:-\[\w+\.)?RealDaemonTests[. ](\w+)\]?' (passed|skipped|failed)/gm;

/** @returns a sentence on what is missing; null if all is there. */
export function notRun(said) {
  const tests = [...said.matchAll(verdict)].map(([, name, end]) => ({ name, end }));
  const skipped = tests.flatMap(({ name, end }) => (end === 'skipped' ? [name] : []));
  if (skipped.length > 0) return `These tests beside the real daemon skipped themselves: ${skipped.join(', ')}.`;
  return tests.length === 0 ? 'No test ran beside the real daemon.' : null;
}
