/**
 * Jest's reporter of how far a run is: after some suites a line such as "120 of 466 suites". On a
 * terminal Jest's own last line says it.
 */

const suitesBetweenLines = 10;

module.exports = class Progress {
  onRunStart({ numTotalTestSuites }) {
    if (numTotalTestSuites < 10 * suitesBetweenLines) return;
    process.stderr.write(`${numTotalTestSuites} suites; the longest come first, so the first lines take a minute.\n`);
  }

  onTestResult(_test, _result, { numFailedTestSuites, numPassedTestSuites, numPendingTestSuites, numTotalTestSuites }) {
    const done = numFailedTestSuites + numPassedTestSuites + numPendingTestSuites;
    if (process.stderr.isTTY || done % suitesBetweenLines !== 0) return;
    const failed = numFailedTestSuites === 0 ? '' : `, ${numFailedTestSuites} failed`;
    process.stderr.write(`${done} of ${numTotalTestSuites} suites${failed}\n`);
  }
};
