/**
 * Jest's reporter of skipped tests: at the end of a run it lists those that weren't tested, and
 * what they lack (needs.ts). If everything should be installed (SALLYPORT_TEST_INSTALL=1, as in
 * CI), a skipped test fails the run. A test skipped without a reason always does.
 */

// Ends at the first parenthesis that ends a word, since names of tests contain parentheses too.
const named = /\(not tested: (.*?)\)(?= |$)/;

module.exports = class SkippedTests {
  /** A run of tests picked by name (`-t`) skips all others. */
  constructor({ testNamePattern }) {
    this.pickedByName = Boolean(testNamePattern);
    this.error = undefined;
  }

  onRunComplete(_contexts, { testResults }) {
    if (this.pickedByName) return;
    const byReason = new Map();
    for (const { testResults: tests } of testResults) {
      for (const { status, fullName } of tests) {
        if (status === 'passed' || status === 'failed') continue;
        const reason = named.exec(fullName)?.[1] ?? `no reason given: ${fullName}`;
        byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
      }
    }
    for (const [reason, count] of byReason) process.stderr.write(`Not tested: ${count} (${reason})\n`);
    const wanted = [...byReason.keys()].filter(
      reason => process.env.SALLYPORT_TEST_INSTALL === '1' || reason.startsWith('no reason given'),
    );
    if (wanted.length > 0) this.error = new Error(`Tests were skipped that should run here: ${wanted.join('; ')}`);
  }

  getLastError() {
    return this.error;
  }
};
