/** The port `Judging` answered in the test's own thread. */

import { type Judgements, loadJudgements } from '../../daemon/query/judgements.ts';
import type { Judging } from '../../daemon/query/judging.ts';

export function judgingInThread(): Judging {
  const judgements = loadJudgements();
  return {
    async ask(_context, name, ...given) {
      const judge = judgements[name] as (...given: unknown[]) => Promise<Awaited<ReturnType<Judgements[typeof name]>>>;
      return { kind: 'done', value: await judge(...given) };
    },
  };
}
