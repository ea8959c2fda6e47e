/** The port `Judging` answered in the test's own thread. */

import type { Judging } from '../../daemon/engines/classifier.ts';
import { lazyJudgements } from '../../daemon/guard/questions.ts';

export function judgingInThread(): Judging {
  const judgements = lazyJudgements();
  return {
    async ask(_context, name, ...given) {
      const judge: (...given: never[]) => unknown = await judgements[name]();
      return { kind: 'done', value: judge(...(given as readonly unknown[] as never[])) as never };
    },
  };
}
