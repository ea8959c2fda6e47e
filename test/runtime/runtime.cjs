/**
 * Jest's `runtime` without its virtual machine: Node itself imports a suite. Product and libraries
 * are loaded once per Jest worker instead of once per suite. Files in test/ are loaded for each
 * suite, since they open servers and register hooks.
 */

const asyncHooks = require('node:async_hooks');
const { registerHooks } = require('node:module');
const { pathToFileURL } = require('node:url');

registerHooks(require('./hooks.mjs'));
/** What jest-circus keeps of a suite, with everything that its tests hold. */
const keptByCircus = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];
let suites = 0;

/**
 * Tells jest-circus which test or hook runs, in place of Node's AsyncLocalStorage. With that, Node
 * would follow each promise of the product too, through one more storage per suite. Tests run one
 * after another, so an error belongs to the running one.
 */
class Running {
  #store;

  getStore() {
    return this.#store;
  }

  async run(store, work) {
    const outer = this.#store;
    this.#store = store;
    try {
      return await work();
    } finally {
      this.#store = outer;
    }
  }
}

module.exports = class Runtime {
  #kind;
  #environment = { ...process.env };

  constructor(...given) {
    const { watch, watchAll } = given.at(-1);
    // Changed files must be loaded again, and so must their importers.
    this.#kind = watch || watchAll ? 'all' : 'suite';
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    suites += 1;
    return import(`${pathToFileURL(path).href}?${this.#kind}=${suites}`);
  }

  requireModule(path) {
    return require(path);
  }

  /** jest-circus, a fresh one per suite. */
  requireInternalModule(path) {
    delete require.cache[path];
    const own = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    // Node 24 has a getter there, so it can't be assigned.
    Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: Running, configurable: true, enumerable: true });
    try {
      return require(path);
    } finally {
      Object.defineProperty(asyncHooks, 'AsyncLocalStorage', own);
    }
  }

  setGlobalsForRuntime(globals) {
    globalThis[Symbol.for('sallyport.jest-globals')] = globals;
  }

  /** Types are replaced by blanks, so each line and column stays in place. */
  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {}
  enterTestCode() {}
  leaveTestCode() {}

  teardown() {
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (keptByCircus.includes(symbol.description)) delete globalThis[symbol];
    }
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#environment)) delete process.env[name];
    }
    Object.assign(process.env, this.#environment);
  }
};
