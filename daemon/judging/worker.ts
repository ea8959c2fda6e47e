/** A thread that judges: answers questions one after the other, and keeps nothing but the loaded parsers. */

import { parentPort, workerData } from 'node:worker_threads';
import { type Judgements, loadJudgements } from '../query/judgements.ts';
import type { Question, Reply } from './question.ts';

let isBroken = false;
const judgements = loadJudgements(() => {
  isBroken = true;
});

async function answer({ name, given }: Question): Promise<Reply> {
  const judge: (...given: never[]) => Promise<unknown> = judgements[name as keyof Judgements];
  try {
    return { kind: 'answered', value: await judge(...(given as never[])), isBroken };
  } catch (error) {
    return { kind: 'threw', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

const warmUp: readonly Question[] = workerData;
for (const question of warmUp) await answer(question);
parentPort?.on('message', (question: Question) => {
  void answer(question).then(reply => parentPort?.postMessage(reply));
});
parentPort?.postMessage({ kind: 'ready' } satisfies Reply);
