/** The classifier of a daemon's run, ready for the engines of its connections. */

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Engine } from '../../shared/engine.ts';
import { type OpenClassifier, startClassifier } from './classifier.ts';
import { compiledHere } from './compiled.ts';

/**
 * After the first clients of a start got their answers, and well before a person has asked
 * anything.
 */
const loadAfterMilliseconds = 500;
const plainStatement = 'SELECT 1';
/** Engines whose statements a WebAssembly grammar parses. */
const grammars: Partial<Record<Engine, string>> = { postgres: 'libpg-query/wasm/libpg-query.wasm' };

const { resolve } = createRequire(import.meta.url);

export function readyClassifier(ports: {
  /** The connections' engines; may repeat. */
  readonly engines: () => readonly Engine[];
  readonly elapsed: () => number;
  readonly report: (error: unknown) => void;
}): OpenClassifier & { loadSoon(): void } {
  const classifier = startClassifier({
    elapsed: ports.elapsed,
    resident: () => process.memoryUsage.rss(),
    report: ports.report,
  });
  const nobody = { principal: null, signal: new AbortController().signal };
  const compiled = compiledHere();
  const load = async (engine: Engine): Promise<void> => {
    const grammar = grammars[engine];
    if (grammar !== undefined) await compiled.hold(pathToFileURL(resolve(grammar)));
    await classifier.ask(nobody, `${engine}Class`, plainStatement);
  };
  let loading: NodeJS.Timeout | undefined;
  return {
    ...classifier,
    loadSoon() {
      clearTimeout(loading);
      loading = setTimeout(() => {
        for (const engine of new Set(ports.engines())) load(engine).catch(ports.report);
      }, loadAfterMilliseconds).unref();
    },
    async close() {
      clearTimeout(loading);
      await classifier.close();
    },
  };
}
