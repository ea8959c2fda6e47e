/**
 * Jest's order of suites: as usual, by earlier duration or by size. In a clone without earlier runs
 * the longest come first, so none of them is alone at the end. Those that need most memory come
 * late.
 */

const Sequencer = require('@jest/test-sequencer').default;

// Some long ones mostly wait: galera, the outcomes, sessions-in-turn. Three of them at once would
// leave processors idle.
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

// They leave Jest's worker with two to four times the memory, and starting a program takes longer
// the more memory its parent has.
const hungriest = [
  'test/classifier/verdicts.test',
  'test/guard/growth.test',
  'test/attacks/export.test',
  'test/bridge/back-pressure.test',
  'test/attacks/large-bodies.test',
];
/** After most suites that start programs, with enough left to keep all workers busy. */
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
