/**
 * Jest's reporter of failed suites: writes their paths to build/failed-tests, one per line, and
 * `.ci/run` runs each of them once more by itself. The file is empty after a run without failures.
 * It is also empty if tests were skipped that should run, since a second run doesn't help there. A
 * suite in which only limits of time were passed is named at the end, with the line that tries it
 * alone.
 */

const { mkdirSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

/** The words of waiting/limits.ts, of Jest, and of MCP's client, where a message begins. */
const late = /^(?:\w*Error: )?(?:Not within |thrown: "Exceeded timeout of |MCP error -32001: Request timed out)/;

module.exports = class FailedTests {
  constructor({ rootDir }) {
    this.root = rootDir;
  }

  onRunComplete(_contexts, { numPendingTests, testResults }) {
    const isSkipAFault = process.env.SALLYPORT_TEST_INSTALL === '1' && numPendingTests > 0;
    const failed = testResults.filter(suite => suite.numFailingTests > 0 || suite.testExecError);
    const folder = join(this.root, 'build');
    mkdirSync(folder, { recursive: true });
    const again = isSkipAFault ? [] : failed;
    writeFileSync(join(folder, 'failed-tests'), again.map(suite => `${suite.testFilePath}\n`).join(''));
    for (const { testFilePath } of failed.filter(isLateAlone)) {
      const path = relative(this.root, testFilePath);
      process.stderr.write(`Failed on time alone: ${path}; alone: make test JEST='${path}'\n`);
    }
  }
};

function isLateAlone({ testExecError, testResults }) {
  const messages = testResults.flatMap(({ failureMessages }) => failureMessages);
  return !testExecError && messages.length > 0 && messages.every(message => late.test(message));
}
