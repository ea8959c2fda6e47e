/**
 * Jest's `runtime`, without its virtual machine: Node itself imports a suite. The product and the
 * libraries are loaded once for each of Jest's workers instead of once for each suite. What stands
 * in test/ is loaded for each suite, for it opens servers and registers hooks.
 */

const asyncHooks = require('node:async_hooks');
const { registerHooks } = require('node:module');
const { pathToFileURL } = require('node:url');

registerHooks(require('./hooks.mjs'));
/** What jest-circus keeps of a suite, all that its tests hold included. */
const keptByCircus = ['JEST_STATE_SYMBOL', 'EVENT_HANDLERS'];
let suites = 0;

/**
 * Which test or hook runs, as jest-circus asks it: in place of Node's AsyncLocalStorage. That would
 * have Node follow each promise of the product too, through one more storage with each suite. Tests
 * run one after another, so what throws belongs to the one that runs.
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
    // What was changed is to be seen, and whatever imports it.
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

  /** jest-circus, a fresh one for each suite. */
  requireInternalModule(path) {
    delete require.cache[path];
    const own = Object.getOwnPropertyDescriptor(asyncHooks, 'AsyncLocalStorage');
    // Node 24 has a getter there, which takes no assignment.
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

  /** Types are blanked out, so that each line and column stays where it was. */
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
