/**
 * Jest's order of suites: as always (by how long each took here before, or by size), but those that
 * take longest come first in a clone that has run none yet, so that none of them is alone at the
 * end; and those that need most memory come late.
 */

const Sequencer = require('@jest/test-sequencer').default;

// Some that take long mostly wait: galera, the outcomes, sessions-in-turn. With three of them at
// once processors are idle.
const longest = [
  'test/engines/mysql/galera.test',
  'test/engines/outcomes/postgres.test',
  'test/journeys/databases/every-argument.test',
  'test/walls/postgres.test',
  'test/install/release.test',
  'test/storage/activity/verify.test',
  'test/journeys/databases/outcome.test',
  'test/attacks/guard-postgres.test',
  'test/install/executable.test',
  'test/engines/sessions-in-turn.test',
  'test/install/package.test',
  'test/engines/outcomes/mysql.test',
  'test/journeys/keychain/tampered.test',
  'test/engines/preview-truth-servers.test',
  'test/journeys/daemon/service.test',
  'test/attacks/counted-sqlite.test',
  'test/install/install.test',
  'test/journeys/bridge/failures.test',
  'test/walls/mariadb.test',
  'test/journeys/terminal/servers.test',
  'test/attacks/remembered-reads.test',
  'test/journeys/approvals/window.test',
  'test/attacks/counted-postgres.test',
  'test/journeys/daemon/clock-ahead.test',
  'test/engines/greedy-clients.test',
  'test/attacks/slow-to-classify.test',
  'test/attacks/environment.test',
  'test/engines/preview-truth-sqlite.test',
  'test/attacks/credentials.test',
  'test/storage/ledger/ledger.test',
  'test/shells/proof.test',
];

// They leave Jest's worker with two to four times the memory, and to start a program takes longer
// the more of it its parent has.
const hungriest = [
  'test/classifier/verdicts.test',
  'test/guard/growth.test',
  'test/attacks/export.test',
  'test/bridge/back-pressure.test',
  'test/attacks/large-bodies.test',
];
/**
 * After most of those that start programs, and with enough behind them to keep all workers busy.
 */
const shareBeforeHungriest = 0.5;

const isHungry = ({ path }) => hungriest.some(name => path.includes(name));
const rank = ({ path }) => {
  const found = longest.findIndex(name => path.includes(name));
  return found === -1 ? longest.length : found;
};

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests).sort((one, other) => rank(one) - rank(other));
    const others = sorted.filter(test => !isHungry(test));
    return others.toSpliced(shareBeforeHungriest * others.length, 0, ...sorted.filter(isHungry));
  }
};
