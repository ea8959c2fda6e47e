/** Node's hook for suites: loads a suite's own files under names of that suite. */

const globals = new URL('globals.mjs', import.meta.url).href;
const tests = new URL('..', import.meta.url).href;
const everything = new URL('../..', import.meta.url).href;
const libraries = new URL('../../node_modules/', import.meta.url).href;

export function resolve(specifier, context, next) {
  const suite = suiteOf(context.parentURL ?? '');
  if (specifier === '@jest/globals') return { url: globals + suite, shortCircuit: true };
  const resolved = next(specifier, context);
  const anew = suite.startsWith('?all=') ? everything : tests;
  const isItsOwn = resolved.url.startsWith(anew) && !resolved.url.startsWith(libraries);
  return isItsOwn && suiteOf(resolved.url) === '' ? { ...resolved, url: resolved.url + suite } : resolved;
}

function suiteOf(url) {
  return /\?(?:suite|all)=\d+$/.exec(url)?.[0] ?? '';
}
