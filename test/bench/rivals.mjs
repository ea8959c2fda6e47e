/**
 * `make bench-rivals`: the first answer, the memory and a query of the bridge beside other database
 * servers for MCP on this machine, each from npm, each with an SQLite database. The others open the
 * database in their one process; Sallyport's daemon runs beside its bridge, and SQLite in a child
 * of the daemon.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, withDaemon } from './daemon.mjs';
import { firstAnswer, initialize, interleaved, line, print, residentAfterList, row, Started } from './measuring.mjs';
import { dbhub, installRivals, toolbox } from './rivals-folder.ts';

const rounds = Number(process.env.RUNS ?? 20);
const executable = join(build, 'executable/sallyport-mcp');
const sql = 'SELECT 1';
const query = { name: 'execute_query', arguments: { connection: 'Demo', sql } };
const theirQuery = { name: 'execute_sql', arguments: { sql } };

const missing = installRivals(print);
for (const [name, why] of missing) print(`${name} is missing: ${why}`);
await withDaemon(async ({ environment, folder: temporary, sallyport }) => {
  sallyport('demo');
  const database = join(temporary, 'empty.db');
  writeFileSync(database, '');
  const rows = [
    { name: 'sallyport-mcp', command: [join(build, 'bin/sallyport-mcp')], query },
    ...(existsSync(executable) ? [{ name: 'sallyport-mcp, executable', command: [executable], query }] : []),
    {
      name: 'MCP Toolbox',
      command: [toolbox, '--prebuilt', 'sqlite', '--stdio'],
      environment: { SQLITE_DATABASE: database },
      query: theirQuery,
    },
    {
      name: 'dbhub',
      command: [process.execPath, dbhub, '--transport', 'stdio', '--dsn', `sqlite://${database}`],
      query: theirQuery,
    },
  ].filter(({ name }) => !missing.has(name));
  const medians = await interleaved(
    rows.map(rival => () => firstAnswer(rival, environment)),
    rounds,
  );
  print(`Start to the first answer (initialize), ms, median of ${rounds}; resident after tools/list, MB, median of 5`);
  for (const [index, { name, command, environment: own }] of rows.entries()) {
    const resident = await residentAfterList(command, { ...environment, ...own });
    row(name, medians[index].toFixed(1), `   ${resident.toFixed(1)} MB`);
  }
  await queries(rows, environment);
});

async function queries(rows, environment) {
  const started = rows.map(rival => new Started(rival.command, { ...environment, ...rival.environment }));
  for (const rival of started) {
    await rival.ask(initialize);
    rival.child.stdin.write(line({ method: 'notifications/initialized' }));
  }
  let id = 1;
  const measures = rows.map(
    (rival, index) => () => started[index].ask(line({ id: ++id, method: 'tools/call', params: rival.query })),
  );
  // Cold code is slower: first run a few hundred of each.
  await interleaved(measures, 300);
  const medians = await interleaved(measures, rounds * 25);
  print(`\nA query (${sql}), ms, median of ${rounds * 25}, turn by turn`);
  for (const [index, { name }] of rows.entries()) row(name, medians[index].toFixed(2));
  for (const rival of started) await rival.stop();
}
