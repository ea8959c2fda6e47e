/** Puts the fourteen questions to one server and counts. */

import { type Question, questions, schemas } from '../../journeys/databases/fourteen-questions.ts';
import { type Session, tokensOf } from '../stdio/session.ts';
import type { Way } from './ways.ts';

export interface Cost {
  readonly calls: number;
  /** Of the answers. */
  readonly read: number;
  /** Of those that no earlier question had. */
  readonly readAnew: number;
  /** Of the names and arguments of the calls. */
  readonly written: number;
}

export interface Asked {
  readonly name: string;
  readonly toolCount: number;
  readonly fixedTokens: number;
  /** By question; null where the server has no way. */
  readonly costs: readonly (Cost | null)[];
}

/**
 * @throws if an answer is an error or wrong, or if a statement names a table that no earlier answer
 *   of the question named.
 */
export async function askAll(name: string, session: Session, way: Way): Promise<Asked> {
  const costs: (Cost | null)[] = [];
  const before = new Set<string>();
  for (const question of questions) {
    const path = question.calls.map(way);
    const calls = path.flatMap(each => each ?? []);
    costs.push(path.includes(null) ? null : await follow(name, session, { ...question, calls }, before));
  }
  return { name, toolCount: session.toolCount, fixedTokens: session.fixedTokens, costs };
}

/** @param before calls of earlier questions; this one's are added. */
async function follow(name: string, session: Session, question: Question, before: Set<string>): Promise<Cost> {
  const where = `${name}, ${question.asks}`;
  const told: string[] = [];
  const cost = { calls: question.calls.length, read: 0, readAnew: 0, written: 0 };
  for (const [tool, args] of question.calls) {
    mustBeTold(where, String(args.sql ?? ''), told);
    const { text, isError, tokens } = await session.ask(tool, args);
    if (isError) throw new Error(`${where}, ${tool}: ${text}`);
    told.push(text);
    const call = `${tool} ${JSON.stringify(args)}`;
    cost.read += tokens;
    cost.readAnew += before.has(call) ? 0 : tokens;
    cost.written += tokensOf(call);
    before.add(call);
  }
  // Some give a number as such: 900 for 900.00.
  for (const cell of (question.rows ?? []).flat().map(String))
    if (![cell, String(Number(cell))].some(form => told.at(-1)?.includes(form)))
      throw new Error(`${where}: ${cell} isn't in ${told.at(-1)}`);
  return cost;
}

function mustBeTold(where: string, sql: string, told: readonly string[]): void {
  for (const table of sql.match(/\b[a-z]+\.[a-z_]+\b/g) ?? []) {
    const [schema = '', bare = ''] = table.split('.');
    if (schemas.includes(schema) && !told.some(text => text.includes(schema) && text.includes(bare)))
      throw new Error(`${where}: nothing told of ${table}.`);
  }
}
