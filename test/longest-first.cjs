/**
 * Jest's order of suites: as always (by how long each took here before, or by size), but those that take longest come first in a clone
 * that has run none yet, so that none of them is alone at the end.
 */

const Sequencer = require('@jest/test-sequencer').default;

const longest = [
  'test/shell-macos/swift',
  'test/install/package',
  'test/install/release',
  'test/databases/sessions-in-turn',
  'test/journeys/bridge/failures',
  'test/journeys/databases/cancellation',
  'test/journeys/keychain/tampered',
  'test/judging/verdicts',
  'test/walls/postgres',
  'test/journeys/daemon/settings',
  'test/journeys/daemon/doctor',
  'test/journeys/daemon/service',
  'test/journeys/daemon/life',
  'test/journeys/bridge/progress',
];

const rank = ({ path }) => {
  const found = longest.findIndex(name => path.includes(name));
  return found === -1 ? longest.length : found;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).sort((one, other) => rank(one) - rank(other));
  }
};
