/** Asks for a preview as the tool does, on a test's own `Database`. */

import type { Database } from '../../daemon/engines/engine.ts';
import { callOf } from '../../daemon/statement/call.ts';
import { type Preview, previewWrite } from '../../daemon/statement/preview/preview.ts';
import { defaultQueryLimits } from '../../daemon/statement/query-limits.ts';
import type { RunPorts } from '../../daemon/statement/run-statement.ts';
import { connectionWith } from '../access/principals.ts';
import { someAsker, unrecorded } from '../activity/unrecorded.ts';
import { saidOf } from '../clients/mcp/said.ts';
import { judgingInThread } from '../statement/classifier-in-thread.ts';

export interface Asked {
  readonly signal?: AbortSignal;
  readonly readOnly?: boolean;
  readonly limits?: Partial<RunPorts['limits'] extends () => infer L ? L : never>;
}

export type AskPreview = (sql: string, asked?: Asked) => Promise<Preview | string>;

/** @returns the preview, or the refusal as `word: sentence`. */
export function previewing(database: () => Database): AskPreview {
  const classifier = judgingInThread();
  return async (sql, asked = {}) => {
    const level = asked.readOnly === true ? 'readOnly' : 'readWrite';
    const opened = database();
    const ports: RunPorts = {
      databases: { of: () => opened, forget: async () => {}, close: async () => {} },
      classifier,
      limits: () => ({ ...defaultQueryLimits, ...asked.limits }),
      elapsed: () => performance.now(),
      ...unrecorded,
    };
    const call = callOf(ports, {
      reached: {
        connection: connectionWith({ externalClients: { level, writeUntil: null } }),
        access: { kind: 'visible', level, limitedBy: 'connection', askFirst: false },
      },
      asker: someAsker,
      client: 'test',
      sql,
      signal: asked.signal ?? new AbortController().signal,
    });
    const result = await previewWrite(ports, call);
    if (result.kind === 'done') return result.preview;
    return saidOf(result.refusal);
  };
}

/** The parts of a preview that tests compare: only rows, no times. */
export function told(preview: Preview | string): unknown {
  if (typeof preview === 'string') return preview;
  const { before, after, returned, warnings, rows_affected } = preview;
  return {
    rows_affected,
    ...(before && { before: before.rows.cells() }),
    ...(after && { after: after.rows.cells() }),
    ...(returned && { returned: returned.rows.cells() }),
    ...(warnings && { warnings }),
  };
}
