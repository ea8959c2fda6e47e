/**
 * Whether a tool may run a statement of a class with the access there is, and in which session (spec §4, §6, §7): one
 * function, no state. Every refusal says what may be done instead, and by whom.
 */

import { shellWord } from '../../shared/client-configs.ts';
import type { VisibleAccess } from '../access/reach.ts';
import { type Refusal, toolError } from '../refusal.ts';
import { hasOwnAdvice } from './classification/advice.ts';
import type { Classification } from './classification/classification.ts';
import type { Session } from './database.ts';

export type StatementTool = 'execute_query' | 'export_data' | 'confirm_destructive_operation' | 'preview_write';

type WritingTool = Exclude<StatementTool, 'export_data'>;

export type Decision =
  | { readonly kind: 'run'; readonly session: Session }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** @param connection its name, for the sentence of a refusal. */
export function decide(
  tool: StatementTool,
  classification: Classification,
  access: VisibleAccess,
  connection: string,
): Decision {
  const statementClass = classification.class;
  if (statementClass === 'forbidden') {
    return refused('unsupported', classification.reason);
  }
  if (statementClass === 'read') return decideRead(tool);
  if (tool === 'export_data') return refused('denied', `${classification.reason} export_data only reads.`);
  if (access.level === 'readOnly') return refused('denied', aboveReadOnly(classification, access, connection));
  return statementClass === 'write' ? decideWrite(tool, classification) : decideDestructive(tool, classification);
}

function aboveReadOnly(classification: Classification, access: VisibleAccess, connection: string): string {
  const told = `${readOnlySentence(access)} ${classification.reason}`;
  // What isn't understood is mostly misspelt: writing would be opened for nothing.
  if (hasOwnAdvice(classification.reason)) return told;
  return classification.class === 'destructive'
    ? `${told} ${destructionTakes[access.limitedBy === 'connection' ? 'connection' : 'token']} ${writingAdvice(access, connection, 'full-access')}`
    : `${told} ${writingAdvice(access, connection, 'read-write')}`;
}

/** The level alone would bring another refusal. */
const destructionTakes = {
  connection: "It is destructive, so it also takes a token with Full Access and the user's yes.",
  token: "It is destructive, so it also takes the user's yes.",
} as const;

/** Spec §4 and §15 give the first sentence word for word. */
function readOnlySentence(access: VisibleAccess): string {
  return access.limitedBy === 'connection'
    ? 'This connection is read only for external clients. Read from it, or ask the user to run the statement.'
    : 'This token may only read. Read from the connection, or ask the user to run the statement.';
}

/** For the person: an agent that types it itself meets the privilege increase, where that asks. */
function writingAdvice({ limitedBy }: VisibleAccess, connection: string, scope: 'read-write' | 'full-access'): string {
  return limitedBy === 'connection'
    ? `The user can allow an hour of writing: \`sallyport connections set ${shellWord(connection)} --external-clients read-write --for 1h\`.`
    : `The user can make a token that writes for a day: \`sallyport tokens mint --name writer --scope ${scope} --expires 1\`.`;
}

function decideRead(tool: StatementTool): Decision {
  switch (tool) {
    case 'execute_query':
    case 'export_data':
      return { kind: 'run', session: 'read' };
    case 'confirm_destructive_operation':
      return refused('denied', 'The statement only reads; run it with execute_query.');
    case 'preview_write':
      return refused(
        'unsupported',
        'The statement only reads, so there is nothing to preview; run it with execute_query.',
      );
  }
}

const previewable =
  'Only a statement that is itself an INSERT, UPDATE, DELETE, REPLACE or MERGE can be previewed, none that has one within it.';

function decideWrite(tool: WritingTool, classification: Classification): Decision {
  switch (tool) {
    case 'execute_query':
      return { kind: 'run', session: sessionOf(classification) };
    case 'confirm_destructive_operation':
      // What can be rolled back execute_query may have refused by the rows that it changed.
      return sessionOf(classification) === 'write'
        ? { kind: 'run', session: 'write' }
        : refused('denied', `${classification.reason} It is not destructive; run it with execute_query.`);
    case 'preview_write':
      return classification.isDml
        ? { kind: 'run', session: 'rollback' }
        : refused('unsupported', `${classification.reason} ${previewable}`);
  }
}

/** Over the bridge no token ever has it. */
export const fullAccessAdvice =
  'That takes a token with Full Access: without one, ask the user to run it, or to give you one (`sallyport connect http --mint --scope full-access`).';

function decideDestructive(tool: WritingTool, classification: Classification): Decision {
  switch (tool) {
    case 'execute_query': {
      const preview = classification.isUnboundedDml ? ' preview_write tells what it would change.' : '';
      return refused(
        'denied',
        `${classification.reason} A destructive statement runs only through confirm_destructive_operation, after the user's yes. ${fullAccessAdvice}${preview}`,
      );
    }
    case 'confirm_destructive_operation':
      return { kind: 'run', session: sessionOf(classification) };
    case 'preview_write':
      return classification.isUnboundedDml
        ? { kind: 'run', session: 'rollback' }
        : refused('unsupported', `${classification.reason} ${previewable}`);
  }
}

function sessionOf({ isPlan, needsOwnSession }: Classification): Session {
  if (isPlan) return 'read';
  return needsOwnSession ? 'alone' : 'write';
}

function refused(word: 'denied' | 'unsupported', sentence: string): Decision {
  return { kind: 'refused', refusal: toolError(word, sentence) };
}
