/**
 * Jest's `testEnvironment`: the worker's own process. Jest's set-up for a virtual machine has no
 * effect. Limits of time of tests and hooks are stretched to the machine's pace, and what a suite
 * prints gets its name.
 */

const { relative } = require('node:path');
const { pace } = require('../waiting/pace.cjs');

module.exports = class Environment {
  global = {};
  #suite;
  /** Of tests and hooks, in milliseconds as they were given. A hook runs many times. */
  #given = new WeakMap();
  #unname = () => {};

  constructor({ projectConfig }, { testPath }) {
    this.#suite = relative(projectConfig.rootDir, testPath);
  }

  /** Jest must be told that there is none. */
  getVmContext() {
    return null;
  }

  handleTestEvent({ name, hook, test }, { testTimeout }) {
    if (name !== 'hook_start' && name !== 'test_fn_start') return;
    const one = hook ?? test;
    if (!this.#given.has(one)) this.#given.set(one, one.timeout ?? testTimeout);
    one.timeout = Math.ceil(this.#given.get(one) * pace());
  }

  async setup() {
    // In a process without workers Jest itself prints too.
    if (process.send === undefined) return;
    const undo = [process.stdout, process.stderr].map(stream => named(stream, this.#suite));
    this.#unname = () => {
      for (const each of undo) each();
    };
  }

  async teardown() {
    this.#unname();
  }
};

/** @returns what ends it. */
function named(stream, suite) {
  const { write } = stream;
  stream.write = (chunk, ...more) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    return write.call(stream, text.replace(/^(?=.)/gm, `${suite}: `), ...more);
  };
  return () => {
    stream.write = write;
  };
}
