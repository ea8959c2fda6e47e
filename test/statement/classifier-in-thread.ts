/** The port `Classifier`, answered in the test's own thread. */

import type { Classifier } from '../../daemon/engines/classifier.ts';
import { lazyQuestions } from '../../daemon/guard/index.ts';

export function judgingInThread(): Classifier {
  const questions = lazyQuestions();
  return {
    async ask(_context, name, ...given) {
      const classify: (...given: never[]) => unknown = await questions[name]();
      return { kind: 'done', value: classify(...(given as readonly unknown[] as never[])) as never };
    },
  };
}
