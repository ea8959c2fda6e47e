/**
 * Whether a tool may run a statement of a class with the present access, and in which session (spec
 * §4, §6, §7): one function, no state.
 */

import type { VisibleAccess } from '../access/resolve-connection.ts';
import type { SessionKind } from '../engines/engine.ts';
import type { Classification } from '../guard/types.ts';
import { type Refusal, toolError } from '../refusal.ts';

export type StatementTool = 'execute_query' | 'export_data' | 'confirm_destructive_operation' | 'preview_write';

type WritingTool = Exclude<StatementTool, 'export_data'>;

/** The user allowed this statement to run as it is (spec §12): neither level nor class stops it. */
export type Granted = 'granted';

export type Decision =
  | { readonly kind: 'run'; readonly session: SessionKind }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function decide(tool: StatementTool | Granted, classification: Classification, access: VisibleAccess): Decision {
  const statementClass = classification.class;
  if (statementClass === 'forbidden') {
    const { reason, reasonForLog: forLog } = classification;
    return {
      kind: 'refused',
      refusal: { ...toolError('unsupported', reason), ...(forLog !== undefined && { forLog }) },
    };
  }
  if (tool === 'granted')
    return { kind: 'run', session: statementClass === 'read' ? 'read' : sessionOf(classification) };
  if (statementClass === 'read') return decideRead(tool);
  if (tool === 'export_data') return refused('denied', `${classification.reason} export_data only reads.`);
  if (access.level === 'readOnly') return { kind: 'refused', refusal: aboveReadOnly(classification, access) };
  return statementClass === 'write' ? decideWrite(tool, classification) : decideDestructive(tool, classification);
}

function aboveReadOnly(
  { class: statementClass, reason, reasonParts }: Classification,
  { limitedBy }: VisibleAccess,
): Refusal {
  return {
    kind: 'read_only',
    limitedBy: limitedBy === 'connection' ? 'connection' : 'token',
    isDestructive: statementClass === 'destructive',
    reason,
    reasonAdvises: reasonParts.some(({ advises }) => advises === true),
  };
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
      // A statement that can be rolled back may be refused by the rows that it changed.
      return sessionOf(classification) === 'write'
        ? { kind: 'run', session: 'write' }
        : refused('denied', `${classification.reason} It is not destructive; run it with execute_query.`);
    case 'preview_write':
      return classification.isDml
        ? { kind: 'run', session: 'rollback' }
        : refused('unsupported', `${classification.reason} ${previewable}`);
  }
}

function decideDestructive(tool: WritingTool, classification: Classification): Decision {
  switch (tool) {
    case 'execute_query': {
      const { reason, isUnboundedDml } = classification;
      const told = [reason];
      return {
        kind: 'refused',
        refusal: { kind: 'needs_yes', because: 'statement', told, canBePreviewed: isUnboundedDml },
      };
    }
    case 'confirm_destructive_operation':
      return { kind: 'run', session: sessionOf(classification) };
    case 'preview_write':
      return classification.isUnboundedDml
        ? { kind: 'run', session: 'rollback' }
        : refused('unsupported', `${classification.reason} ${previewable}`);
  }
}

function sessionOf({ isPlan, needsOwnSession }: Classification): SessionKind {
  if (isPlan) return 'read';
  return needsOwnSession ? 'alone' : 'write';
}

function refused(word: 'denied' | 'unsupported', sentence: string): Decision {
  return { kind: 'refused', refusal: toolError(word, sentence) };
}
