/**
 * Jest's reporter of how far a run is: after some suites a line such as "120 of 466 suites". On a
 * terminal Jest's own last line says it.
 */

const suitesBetweenLines = 10;

module.exports = class Progress {
  onTestResult(_test, _result, { numFailedTestSuites, numPassedTestSuites, numPendingTestSuites, numTotalTestSuites }) {
    const done = numFailedTestSuites + numPassedTestSuites + numPendingTestSuites;
    if (process.stderr.isTTY || done % suitesBetweenLines !== 0) return;
    const failed = numFailedTestSuites === 0 ? '' : `, ${numFailedTestSuites} failed`;
    process.stderr.write(`${done} of ${numTotalTestSuites} suites${failed}\n`);
  }
};
