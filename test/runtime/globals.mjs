/** The exports of `@jest/globals` for suites; the real package refuses to be loaded by Node. */

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } =
  globalThis[Symbol.for('sallyport.jest-globals')];
