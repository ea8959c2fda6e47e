/** What a PostgreSQL statement is in the database it is to run on: names are followed from view to function, a round each. */

import type { Classification } from './classification/classification.ts';
import type { PostgresCatalog } from './classification/postgres/catalog.ts';
import { catalogLookup, plainLookup } from './classification/postgres/catalog-lookup.ts';
import { asksOfTablesAlone } from './classification/postgres/question.ts';
import type { Classified } from './classified.ts';
import type { CallContext, Database } from './database.ts';
import type { Judging } from './judging.ts';
import { lookUp } from './look-up.ts';

export async function onPostgres(
  judging: Judging,
  database: Database,
  context: CallContext,
  sql: string,
): Promise<Classified> {
  const judged = await judging.ask(context, 'postgresClass', sql);
  if (judged.kind !== 'done') return { kind: 'failed', failure: judged };
  let classification = judged.value;
  for (let round = 0; classification.question !== null && classification.class !== 'forbidden'; round++) {
    if (round === mostRounds) return { kind: 'classified', classification: tooDeep(classification) };
    const parameters = [JSON.stringify(classification.question)];
    if (asksOfTablesAlone(classification.question)) {
      const plain = await lookUp(database, context, plainLookup, parameters);
      if (plain.kind !== 'done') return { kind: 'failed', failure: plain };
      if (plain.value[0]?.[0] === true) break;
    }
    const answer = await lookUp(database, context, catalogLookup, parameters);
    if (answer.kind !== 'done') return { kind: 'failed', failure: answer };
    const catalog: PostgresCatalog = JSON.parse(String(answer.value[0]?.[0]));
    const next = await judging.ask(context, 'postgresClassByCatalog', classification, catalog);
    if (next.kind !== 'done') return { kind: 'failed', failure: next };
    classification = next.value;
  }
  return { kind: 'classified', classification };
}

/** Each view, function or domain that is used by another takes one; nobody stacks so many. */
const mostRounds = 12;

function tooDeep(classification: Classification): Classification {
  const reason = 'The views or functions behind it are nested too deeply to be checked; use what they are made of.';
  return { ...classification, class: 'forbidden', reason };
}
