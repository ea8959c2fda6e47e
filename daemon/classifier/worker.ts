/** A thread that judges: answers questions one after the other, and keeps nothing but the loaded parsers. */

import { parentPort } from 'node:worker_threads';
import { lazyJudgements } from '../guard/questions.ts';
import type { Question, Reply } from './question.ts';

let isBroken = false;
const judgements: Record<string, () => Promise<(...given: never[]) => unknown>> = lazyJudgements(() => {
  isBroken = true;
});
const loaded = new Set<string>();

async function answer({ name, given }: Question): Promise<void> {
  try {
    const judge = await judgements[name]?.();
    if (judge === undefined) throw new Error(`there is no judgement ${name}`);
    if (!loaded.has(name)) say({ kind: 'loaded' });
    loaded.add(name);
    const value = judge(...(given as never[]));
    say({ kind: 'answered', value, isBroken });
  } catch (error) {
    say({ kind: 'threw', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function say(reply: Reply): void {
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (question: Question) => void answer(question));
say({ kind: 'ready' });
