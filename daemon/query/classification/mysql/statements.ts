/** Judges one statement, cut into tokens under one reading: which rules apply to it, and what holds for all of them. */

import { administration } from './administration.ts';
import { judgeAlter, judgeDrop, judgeRename, judgeTruncate } from './alterations.ts';
import { calledFunctions, userDefined } from './calls.ts';
import { isStoredCode, judgeCreate } from './definitions.ts';
import { isMaintenance, judgeAnalyzed, judgeExplain, runsNothing } from './explain.ts';
import { storedBy } from './query.ts';
import { forbiddenReach } from './reach.ts';
import { columnListAt } from './rows.ts';
import { judgeRunnable } from './runnable.ts';
import { judgeShow } from './show.ts';
import { at, type Token } from './tokens.ts';
import { atLeast, forbidden, isWorse, type Verdict } from './verdict.ts';

const definitions: ReadonlyMap<string, (tokens: readonly Token[]) => Verdict> = new Map([
  ['CREATE', judgeCreate],
  ['ALTER', judgeAlter],
  ['DROP', judgeDrop],
  ['TRUNCATE', judgeTruncate],
  ['RENAME', judgeRename],
  ['SHOW', judgeShow],
]);

/** @param written the tokens of a whole text, a last semicolon included. */
export function judge(written: readonly Token[]): Verdict {
  // A hint in the wrong place is a comment: none may part FOR from UPDATE, or a function from its parenthesis.
  const code = written.filter(token => token.kind !== 'hint');
  const tokens = code.at(-1)?.key === ';' ? code.slice(0, -1) : code;
  if (tokens.length === 0) return forbidden('The statement is empty; send one.');
  if (depth(tokens) > maxDepth) return forbidden(`Parentheses nest more than ${maxDepth} deep.`);
  if (tokens.some(token => token.key === ';') && !isStoredCode(tokens)) {
    const compound = administration.get(at(tokens, 0).key)?.(tokens);
    return compound?.class === 'forbidden'
      ? compound
      : forbidden('More than one statement was sent; send one at a time.');
  }
  const columns = columnListAt(
    tokens,
    tokens.findIndex(token => token.key === 'INSERT' || token.key === 'REPLACE'),
  );
  const calls = calledFunctions(tokens).filter(call => call.index + 1 !== columns || call.danger !== null);
  const answer = judgeVerb(tokens);
  const reach = forbiddenReach(written, tokens, calls);
  if (reach !== null && isWorse('forbidden', answer.class))
    return { ...answer, class: 'forbidden', reason: reach.reason };
  const stored = answer.class === 'read' ? storedBy(tokens, calls, runsNothing(tokens)) : null;
  const raised = stored === null ? answer : atLeast(answer, 'write', stored);
  const system = raised.class === 'write' ? systemChange(tokens, raised) : null;
  if (system !== null) return { ...raised, class: 'destructive', reason: system };
  const isDefinition = definitions.has(at(tokens, 0).key) && at(tokens, 0).key !== 'SHOW';
  const own = isDefinition ? [] : userDefined(calls);
  const named = raised.calls.filter(
    call => !own.some(other => other.name === call.name && other.schema === call.schema),
  );
  return { ...raised, calls: [...named, ...own] };
}

function judgeVerb(tokens: readonly Token[]): Verdict {
  const { key } = at(tokens, 0);
  if (['EXPLAIN', 'DESCRIBE', 'DESC'].includes(key)) return judgeExplain(tokens);
  if (key === 'ANALYZE' && !isMaintenance(tokens)) return judgeAnalyzed(tokens, 1);
  return (
    judgeRunnable(tokens, 0) ??
    definitions.get(key)?.(tokens) ??
    administration.get(key)?.(tokens) ??
    forbidden('Its first word begins no statement this gate knows; correct it.')
  );
}

/** Far beyond what people write, and near what the servers' own stacks bear. */
const maxDepth = 200;

function depth(tokens: readonly Token[]): number {
  let now = 0;
  let deepest = 0;
  for (const { key } of tokens) {
    if (key === '(') deepest = Math.max(deepest, ++now);
    else if (key === ')') now = Math.max(0, now - 1);
  }
  return deepest;
}

/** A table moved into the `mysql` schema becomes the accounts and grants in force. */
function systemChange(tokens: readonly Token[], answer: Verdict): string | null {
  const verb = at(tokens, 0).key;
  const isSystem = (name: string | null | undefined): boolean => name?.toLowerCase() === 'mysql';
  const names = tokens.some((token, index) => isSystem(token.text) && at(tokens, index + 1).key === '.');
  const changes = verb === 'CREATE' ? isSystem(answer.tables[0]?.schema) : ['ALTER', 'RENAME'].includes(verb) && names;
  return changes ? "The mysql schema is the server's own: accounts and grants." : null;
}
