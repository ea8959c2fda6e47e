/**
 * Jest's order of suites: as always (by how long each took here before, or by size), but those that take longest come first in a clone
 * that has run none yet, so that none of them is alone at the end.
 */

const Sequencer = require('@jest/test-sequencer').default;

const longest = [
  'test/databases/mysql/galera.test',
  'test/shell-macos/swift.test',
  'test/databases/outcomes/postgres.test',
  'test/query/classification/growth.test',
  'test/journeys/daemon/clock-ahead.test',
  'test/databases/outcomes/mysql.test',
  'test/journeys/databases/outcome.test',
  'test/databases/sessions-in-turn.test',
  'test/attacks/large-bodies.test',
  'test/journeys/databases/every-argument.test',
  'test/attacks/counted-sqlite.test',
  'test/walls/postgres.test',
  'test/bridge/back-pressure.test',
  'test/journeys/bridge/failures.test',
  'test/install/package.test',
  'test/journeys/terminal/servers.test',
  'test/attacks/judging.test',
  'test/journeys/daemon/service.test',
  'test/storage/activity/verify.test',
  'test/attacks/environment.test',
  'test/databases/greedy-clients.test',
  'test/attacks/counted-postgres.test',
  'test/databases/preview-truth-sqlite.test',
  'test/attacks/credentials.test',
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
