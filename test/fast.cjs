/** Jest's configuration for `make test-fast`: all suites but those that need a server or another program, start processes, or take seconds. */

const { jest } = require('../package.json');

module.exports = {
  ...jest,
  rootDir: '..',
  testPathIgnorePatterns: [
    // Rooms that are about processes, servers and programs.
    'test/(journeys|attacks|walls|install|shell-macos|databases)/',
    'test/docs/(commands|recording)',
    // The map is a part of `make check`.
    'test/map',
    'fuzz|growth|postgres-catalog|judging/',
    // Those that start processes in rooms that mostly don't.
    'test/bridge/(back-pressure|first-answer|given-back|launch|lifetime|lines|modern|older-eras|trust)',
    'test/shell-terminal/(open|service|service-files|question)',
    'test/storage/(keychain|secret-|token-uses|activity/(crash|size))',
  ],
};
