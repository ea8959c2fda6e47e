/**
 * Jest's configuration for `make test-app`: the suites that need Swift. One after another, since
 * SwiftPM builds for one at a time.
 */

const { jest } = require('../package.json');

module.exports = {
  ...jest,
  rootDir: '..',
  roots: ['<rootDir>/test/shell-macos/swift'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
};
