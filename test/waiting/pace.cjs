/**
 * How many times as long as on a quiet machine everything takes here and now. Each limit of time in
 * tests is multiplied by it, so a busy or slow machine makes no test red. It is measured before the
 * first suite, and again all the while, since other programs come and go.
 */

// Bundles of ES modules have no require.
const { spawn } = process.getBuiltinModule('node:child_process');
const { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('node:fs');
const { tmpdir } = process.getBuiltinModule('node:os');
const { join } = process.getBuiltinModule('node:path');

/** The start of a Node on two quiet processors: reads files, maps memory, compiles, computes. */
const quietMilliseconds = 50;
/** A test that hangs shall still end some time. */
const mostTimes = 10;
const firstStarts = 5;
const pauseMilliseconds = 10_000;
/** A rest between two loads doesn't count as quiet. */
const rememberedStarts = 6;

/** @returns at least 1; without {@link watchPace}, 1. */
function pace() {
  const file = process.env.SALLYPORT_TEST_PACE;
  if (file === undefined) return 1;
  try {
    return Number(readFileSync(file, 'utf8')) || 1;
  } catch {
    // The run is at its end.
    return 1;
  }
}

/** Measures until this process ends. It and its children know the result from the first moment. */
async function watchPace() {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-pace-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'pace');
  const starts = [];
  const measure = async keepsAlive => {
    starts.push(await startMilliseconds(keepsAlive));
    if (starts.length > rememberedStarts) starts.shift();
    const slowest = Math.max(...starts) / quietMilliseconds;
    // A reader never sees half a number.
    writeFileSync(`${file}.new`, String(Math.min(mostTimes, Math.max(1, slowest))));
    renameSync(`${file}.new`, file);
  };
  for (let index = 0; index < firstStarts; index++) await measure(true);
  process.env.SALLYPORT_TEST_PACE = file;
  const again = () => setTimeout(() => measure(false).then(again, again), pauseMilliseconds).unref();
  again();
}

function startMilliseconds(keepsAlive) {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore', env: {} });
    if (!keepsAlive) child.unref();
    child.once('error', reject);
    child.once('exit', () => resolve(performance.now() - began));
  });
}

module.exports = { pace, watchPace };
