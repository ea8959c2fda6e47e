/** The rows that a preview shows, without the columns that the connection masks (spec §6). */

import { valueOrThrow } from '../answering.ts';
import type { Classifier } from '../classifier.ts';
import type { CallContext, Database } from '../engine.ts';
import { readName } from '../object-name.ts';
import { notSampled, type Sampling } from '../preview-plan.ts';

/**
 * Asks the engine what a read of the whole row would meet, parents and generated columns included.
 * Call it within `answering`.
 *
 * @param context with its masks.
 */
export async function sampledInMasks(
  database: Database,
  classifier: Classifier,
  context: CallContext,
  sample: Sampling,
): Promise<Sampling> {
  if (sample.kind === 'none') return sample;
  const whole = await database.follow(classifier, context, `SELECT * FROM ${sample.table}`);
  if (whole.kind === 'classified' && whole.classification.class === 'read') return sample;
  const named = readName(sample.table);
  if (whole.kind === 'classified' || whole.failure.kind !== 'masked' || named === null) return untold;
  const masked = new Set(whole.failure.columns.map(({ column }) => column));
  const asked = { ...context, schema: named.schema };
  const [table] = valueOrThrow(await database.describeTables(asked, [named.name], false));
  if (table == null || table.name !== named.name) return untold;
  if (sample.shownKey.some(column => masked.has(column))) return notSampled('the connection masks a column of its key');
  const columns = table.columns.filter(({ name }) => !masked.has(name)).map(({ name }) => database.dialect.quote(name));
  return { ...sample, columns };
}

const untold = notSampled('what of its rows the connection masks is not known');
