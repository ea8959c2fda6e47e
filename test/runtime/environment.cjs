/**
 * Jest's `testEnvironment`: the worker's own process. Jest's set-up for a virtual machine has no
 * effect.
 */

module.exports = class Environment {
  global = {};

  /** Jest must be told that there is none. */
  getVmContext() {
    return null;
  }

  async setup() {}
  async teardown() {}
};
