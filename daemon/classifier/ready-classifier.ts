/** The classifier of a daemon's run, ready for the engines of its connections. */

import type { Engine } from '../../shared/engine.ts';
import { type OpenClassifier, startClassifier } from './classifier.ts';
import { classifierLimits } from './classifier-limits.ts';

/**
 * After the first clients of a start got their answers, and well before a person has asked
 * anything.
 */
const loadAfterMilliseconds = 500;
const plainStatement = 'SELECT 1';
/**
 * The daemon's share of a container's or service's memory: children and file caches need the rest.
 */
const ownShare = 0.6;

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
    limits: { ...classifierLimits, residentBytes: residentBytesAt(process.constrainedMemory()) },
  });
  const nobody = { principal: null, signal: new AbortController().signal, timeoutSeconds: loadSeconds };
  const load = (engine: Engine) => classifier.ask(nobody, `${engine}Class`, plainStatement);
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

const loadSeconds = 30;

/** @param allowed bytes of its cgroup; 0, or more than any machine has, without one. */
export function residentBytesAt(allowed: number): number {
  const { residentBytes } = classifierLimits;
  return allowed > 0 ? Math.min(residentBytes, allowed * ownShare) : residentBytes;
}
