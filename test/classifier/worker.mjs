/**
 * A thread that does what the question's name says, for tests of its callers. Speaks as
 * daemon/classifier/worker.ts does.
 */

import { parentPort } from 'node:worker_threads';

const tasks = {
  echo: text => ({ value: text }),
  loop: () => {
    for (;;);
  },
  backtrack: () => /^(a+)+$/.test(`${'a'.repeat(60)}b`),
  slow: milliseconds => {
    const until = performance.now() + Number(milliseconds);
    while (performance.now() < until);
    return { value: milliseconds };
  },
  /** What a thread looks like whose processor other programs have. */
  starved: milliseconds => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const until = performance.now() + Number(milliseconds);
    while (performance.now() < until) Atomics.wait(cell, 0, 0, 5);
    return { value: milliseconds };
  },
  fill: () => {
    const kept = [];
    for (;;) kept.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
  },
  exit: () => process.exit(3),
  throws: () => {
    throw new Error('a mistake');
  },
};

let answered = 0;
const loaded = new Set();
const processor = () => {
  const { user, system } = process.threadCpuUsage();
  return { processorMilliseconds: (user + system) / 1_000 };
};
parentPort.on('message', ({ name, given }) => {
  if (!loaded.has(name)) parentPort.postMessage({ kind: 'loaded', ...processor() });
  loaded.add(name);
  try {
    const { value } = tasks[name](...given);
    parentPort.postMessage({ kind: 'answered', value: `${value}, the ${++answered}. of this thread`, ...processor() });
  } catch (error) {
    parentPort.postMessage({ kind: 'threw', message: error.message });
  }
});
parentPort.postMessage({ kind: 'ready' });
