/**
 * Jest's configuration for `make test-fast`: all suites except those that need a server or another
 * program, start processes, or take seconds.
 */

const { jest } = require('../package.json');

module.exports = {
  ...jest,
  rootDir: '..',
  // The folders that jest watches for changes and for the tests that these affect.
  roots: ['test', 'shared', 'daemon', 'bridge', 'shell-terminal'].map(folder => `<rootDir>/${folder}`),
  testPathIgnorePatterns: [
    // Rooms about processes, servers and programs; except suites in them that need only SQLite's
    // own children.
    'test/(journeys|walls|install|servers|shell-macos)/',
    'test/attacks/(?!pairing|without-the-passphrase)',
    'test/engines/(?!cells|same-names|toy|sessions-turn|demo-shop|mysql/hostile|sqlite/(file|refused-text|saved-file|schema|statement))',
    'test/docs/(commands|recording)',
    // `make check` includes the map.
    'test/map',
    'fuzz|growth|postgres-(catalog|counts|definitions|migrations)|classifier/(classifier|verdicts)',
    'test/statement/plan/(mysql|postgres)',
    // Suites that start processes, in rooms that mostly don't.
    'test/bridge/(back-pressure|first-answer|given-back|launch|lifetime|lines|modern|older-eras|trust)',
    'test/shell-terminal/(app-signature|default-handler|files|open(ing)?\\.|service|service-files|setup|question|uninstall|windows-clients)',
    'test/storage/(exports|forwarding|keychain|log/log|secrets/(app-item|keychain|password-command|secret-)|store/(token-uses|reserve)|activity/(crash|log|size))',
    'test/(desktop|terminals|tunnels|clients/mcp/resources|budget|settings/check|files-in-memory|processes/spare-memory)',
    'test/(shared/(client-configs|handshake)|shells/proof|waiting/run-report)',
    // Suites that take seconds; others test the same rules.
    'test/(processes/stalls|shared/edit-distance|shells/(approvals|changes|clients-and|connections|limits|pairing|redial))',
    'test/clients/(http/(clients|connections|thousand|elicitation|ending|exchange-pairing|lockout|off|rate|refused-body)|mcp/preview-write)',
    'test/(shell-terminal/(reading|sheet)|storage/(activity/(prune|verify|walk-in-parts)|history/history)|statement/preview-reading)',
  ],
};
