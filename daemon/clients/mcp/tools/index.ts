/** Every tool, in the order of the list. */

import { askingOfHostKeys } from '../request-host-key.ts';
import type { Tool } from '../tool.ts';
import { confirmDestructiveOperation } from './confirm-destructive-operation.ts';
import { describeTable } from './describe-table.ts';
import { executeQuery } from './execute-query.ts';
import { type ExportToolPorts, exportData } from './export-data.ts';
import { fetchRows } from './fetch-rows.ts';
import { listConnections } from './list-connections.ts';
import { listTables } from './list-tables.ts';
import { previewWriteTool } from './preview-write.ts';
import { proposeChanges } from './propose-changes.ts';
import { type HistoryToolPorts, searchQueryHistory } from './search-query-history.ts';

export function allTools(ports: HistoryToolPorts & ExportToolPorts): readonly Tool[] {
  const tools = [
    listConnections(ports),
    listTables(ports),
    describeTable(ports),
    executeQuery(ports),
    fetchRows(ports),
    exportData(ports),
    previewWriteTool(ports),
    confirmDestructiveOperation(ports),
    proposeChanges(ports),
    searchQueryHistory(ports),
  ] as readonly Tool[];
  return tools.map(tool => askingOfHostKeys(ports, tool));
}
