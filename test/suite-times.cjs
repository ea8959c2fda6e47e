/**
 * Jest's reporter of how long each suite took: writes build/suite-times, a line per suite, the
 * longest first. A run of some suites leaves the lines of the others. A run of more than ten names
 * the ten longest at its end.
 */

const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const most = 10;

module.exports = class SuiteTimes {
  constructor({ rootDir }) {
    this.root = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const file = join(this.root, 'build/suite-times');
    const ran = new Map(
      testResults
        .filter(({ perfStats }) => perfStats.end > 0)
        .map(({ perfStats, testFilePath }) => [relative(this.root, testFilePath), perfStats.end - perfStats.start]),
    );
    const earlier = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map(timeOf) : [];
    const kept = earlier.filter(([path]) => existsSync(join(this.root, path)));
    mkdirSync(join(this.root, 'build'), { recursive: true });
    writeFileSync(file, `${linesOf(new Map([...kept, ...ran])).join('\n')}\n`);
    if (ran.size <= most) return;
    const longest = linesOf(ran).slice(0, most);
    process.stderr.write(`The ${most} longest suites, as in build/suite-times:\n${longest.join('\n')}\n`);
  }
};

/** @param times milliseconds by path. */
function linesOf(times) {
  const sorted = [...times].sort(([, one], [, other]) => other - one);
  return sorted.map(([path, milliseconds]) => `${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${path}`);
}

function timeOf(line) {
  const [seconds, , path] = line.trim().split(/ +/);
  return [path, Number(seconds) * 1000];
}
