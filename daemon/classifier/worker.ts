/** A classifying thread: answers questions one after another, and keeps only the loaded parsers. */

import { parentPort } from 'node:worker_threads';
import { lazyQuestions } from '../guard/index.ts';
import type { Question, Reply } from './question.ts';

const questions: Record<string, () => Promise<(...given: never[]) => unknown>> = lazyQuestions();
const loaded = new Set<string>();

async function answer({ name, given }: Question): Promise<void> {
  try {
    const classify = await questions[name]?.();
    if (classify === undefined) throw new Error(`there is no question ${name}`);
    if (!loaded.has(name)) say({ kind: 'loaded', processorMilliseconds: used() });
    loaded.add(name);
    const value = classify(...(given as never[]));
    say({ kind: 'answered', value, processorMilliseconds: used() });
  } catch (error) {
    say({ kind: 'threw', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function say(reply: Reply): void {
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (question: Question) => void answer(question));
say({ kind: 'ready' });
