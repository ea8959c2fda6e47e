/** Remembers answers by their full question, within limits: those asked for last stay. */

import type { ClassifierLimits } from './classifier-limits.ts';

interface VerdictMemory {
  /** Undefined if it is not remembered. */
  find(key: string): unknown;
  keep(key: string, value: unknown): void;
}

/**
 * A unique form of the question: JSON of its name and its arguments, which must be text.
 * @returns null for a question that is not remembered.
 */
export function memoryKey(name: string, given: readonly unknown[]): string | null {
  return given.every(argument => typeof argument === 'string') ? JSON.stringify([name, ...given]) : null;
}

export function verdictMemory(limits: ClassifierLimits): VerdictMemory {
  /** The one asked for longest ago comes first. */
  const kept = new Map<string, { readonly value: unknown; readonly bytes: number }>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  return {
    find(key) {
      const entry = kept.get(key);
      if (entry === undefined) return undefined;
      kept.delete(key);
      kept.set(key, entry);
      return entry.value;
    },
    keep(key, value) {
      if (key.length * 2 > limits.rememberedVerdictBytes) return;
      // Text takes up to two bytes a character; objects take about as much as their JSON.
      const size = 2 * (key.length + JSON.stringify(value).length);
      if (size > limits.rememberedVerdictBytes) return;
      forget(key);
      kept.set(key, { value, bytes: size });
      bytes += size;
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.rememberedVerdicts && bytes <= limits.rememberedBytes) break;
        forget(oldest);
      }
    },
  };
}
