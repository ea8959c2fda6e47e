/**
 * Jest's reporter of failed suites: writes their paths to build/failed-tests, one per line, and
 * `.ci/run` runs each of them once more by itself. The file is empty after a run without failures.
 * It is also empty if tests were skipped that should run, since a second run doesn't help there.
 */

const { mkdirSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

module.exports = class FailedTests {
  constructor({ rootDir }) {
    this.folder = join(rootDir, 'build');
  }

  onRunComplete(_contexts, { numPendingTests, testResults }) {
    const isSkipAFault = process.env.SALLYPORT_TEST_INSTALL === '1' && numPendingTests > 0;
    const failed = isSkipAFault ? [] : testResults.filter(suite => suite.numFailingTests > 0 || suite.testExecError);
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(join(this.folder, 'failed-tests'), failed.map(suite => `${suite.testFilePath}\n`).join(''));
  }
};
