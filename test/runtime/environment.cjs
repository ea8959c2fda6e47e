/**
 * Jest's `testEnvironment`: the worker's own process. What Jest sets up for a virtual machine goes
 * nowhere.
 */

module.exports = class Environment {
  global = {};

  /** Jest wants to be told that there is none. */
  getVmContext() {
    return null;
  }

  async setup() {}
  async teardown() {}
};
