/**
 * The folder for temporary files lies in memory while tests run, where there is plenty of it: a
 * tenth of their processor time went to files on a disk that are gone after a second. A container
 * often has 64 MB of it, or allows no program there: then all stays as it is.
 */

const { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } = require('node:fs');
const { freemem } = require('node:os');
const { join } = require('node:path');

const memory = '/dev/shm';
/** Five suites at once have a dozen servers at most, of some 100 MB each. */
const plentyBytes = 4 * 1024 ** 3;

module.exports = () => {
  if (process.env.TMPDIR !== undefined || !isFit()) return;
  const folder = mkdtempSync(join(memory, 'sallyport-'));
  // As the one of the system: a server runs as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  // A server that ends with its worker may still write to its own folder.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
};

function isFit() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) return false;
    return bavail * bsize > plentyBytes && freemem() > plentyBytes;
  } catch {
    return false;
  }
}
