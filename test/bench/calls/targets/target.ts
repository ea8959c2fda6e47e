/** A server that answers the workloads over HTTP, as the load generator sees it. */

import type { EngineName } from '../databases.ts';
import type { ToolResult } from '../load/client.ts';
import type { Rows, Workload } from '../workloads.ts';

export interface Target {
  readonly name: string;
  readonly engine: EngineName;
  /** `none` is the floor: no handshake and no envelope. */
  readonly era: '2025-11-25' | '2026-07-28' | 'none';
  readonly port: number;
  readonly path: string;
  /** The clients use them in turn; empty if the server needs none. */
  readonly tokens: readonly string[];
  /** The first of its processes. */
  readonly pid: number;
  call(workload: Workload): { readonly tool: string; readonly args: Record<string, unknown> };
  rowsOf(result: ToolResult): Rows;
}

/** Ends what a server started and removes what it left, in reverse order. */
export type Undo = (() => Promise<unknown>)[];
