/**
 * Puts the temporary folder into memory during tests if there is plenty of it: a tenth of their
 * processor time went into files on disk that live for a second. A container often has only 64 MB
 * of it, or allows no program or no file of this user there; then nothing changes.
 */

const { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } = require('node:fs');
const { freemem } = require('node:os');
const { join } = require('node:path');

/** Five suites at once use a dozen servers at most, of some 100 MB each. */
const plentyBytes = 4 * 1024 ** 3;

module.exports = (memory = '/dev/shm') => {
  const folder = process.env.TMPDIR === undefined && isFit(memory) ? made(memory) : null;
  if (folder === null) return;
  // Like the system's own: a server runs as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  // A server that ends with its worker may still write to its own folder.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
};

/** @returns null if this user can't write there. */
function made(memory) {
  try {
    return mkdtempSync(join(memory, 'sallyport-'));
  } catch {
    return null;
  }
}

function isFit(memory) {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (/ \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'))) return false;
    return bavail * bsize > plentyBytes && freemem() > plentyBytes;
  } catch {
    return false;
  }
}
