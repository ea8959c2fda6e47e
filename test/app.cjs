/**
 * Jest's configuration for `make test-app`: the suites that need Swift. They run one after another,
 * since SwiftPM builds one package at a time.
 */

const { jest } = require('../package.json');

module.exports = {
  ...jest,
  rootDir: '..',
  roots: ['<rootDir>/test/shell-macos/swift'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
};
