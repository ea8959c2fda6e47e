/** Previews a data change by its counts, since a table of text has no key. */

import type { Classifier } from '../../../daemon/engines/classifier.ts';
import { type Plan, type Planning, withoutKey } from '../../../daemon/engines/preview-plan.ts';

export async function planPreview(_classifier: Classifier, { sql }: Planning): Promise<Plan> {
  return { sql, sample: withoutKey(false), warnings: [] };
}
