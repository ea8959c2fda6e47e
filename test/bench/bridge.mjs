/**
 * `make bench-bridge`: what the bridge costs beside Node itself. Prints a table; its reader judges
 * whether that is good enough.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, withDaemon } from './daemon.mjs';
import { Direct } from './direct.mjs';
import { firstAnswer, initialize, interleaved, line, print, residentAfterList, row, Started } from './measuring.mjs';

const rounds = Number(process.env.RUNS ?? 20);
const echo = fileURLToPath(new URL('echo.cjs', import.meta.url));
const relay = fileURLToPath(new URL('relay.cjs', import.meta.url));
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

await withDaemon(async daemon => {
  await starts(daemon.environment);
  print();
  await calls(daemon);
});

async function starts(environment) {
  const node = process.execPath;
  const version = `Node ${process.versions.node}`;
  const rows = [
    { name: 'node -e 0 (to its end)', command: [node, '-e', '0'], answers: false },
    { name: 'echo script', command: [node, echo], beside: 'echo script' },
    { name: 'sallyport-mcp', command: [join(build, 'bin/sallyport-mcp')], beside: 'echo script' },
  ].map(row => ({ ...row, name: `${row.name}, ${version}`, beside: row.beside && `${row.beside}, ${version}` }));
  const executable = join(build, 'executable/bin/sallyport-mcp');
  if (existsSync(executable)) {
    const its = nodeOf();
    rows.push({ name: 'echo script, Node of the executable', command: [its, echo] });
    rows.push({
      name: 'sallyport-mcp, executable',
      command: [executable],
      beside: 'echo script, Node of the executable',
    });
  } else print('(No executable: `make executable` makes it.)');
  const medians = await interleaved(
    rows.map(row => () => firstAnswer(row, environment)),
    rounds,
  );
  const took = new Map(rows.map((row, index) => [row.name, medians[index]]));
  print(`Start to the first answer (initialize), ms, median of ${rounds}`);
  for (const { name, beside } of rows) {
    const ratio =
      beside && beside !== name ? `   ${(took.get(name) / took.get(beside)).toFixed(2)} of the echo script` : '';
    row(name, took.get(name).toFixed(1), ratio);
  }
}

function nodeOf() {
  const [its] = ['linux', 'darwin'].flatMap(platform =>
    [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`]
      .map(name => join(build, 'node/node_modules', name, 'bin/node'))
      .filter(existsSync),
  );
  return its;
}

async function calls({ environment, handshake }) {
  const bridges = ['bin/sallyport-mcp', 'executable/bin/sallyport-mcp']
    .map(path => join(build, path))
    .filter(existsSync);
  const direct = new Direct(handshake());
  let id = 1;
  const body = () =>
    line({ id: ++id, method: 'tools/call', params: { name: 'list_connections', arguments: {}, _meta: envelope } });
  print(
    `A call (list_connections), ms, median of ${rounds * 25}, turn by turn with the same straight to the daemon over HTTP`,
  );
  const named = [[process.execPath, relay], ...bridges.map(path => [path])];
  for (const command of named) {
    const started = new Started(command, environment);
    await started.ask(initialize);
    const measures = [() => direct.ask(body()), () => started.ask(body())];
    // Cold code is slower in both: first run a few hundred of each.
    await interleaved(measures, 300);
    const [straight, through] = await interleaved(measures, rounds * 25);
    const added = `   +${(through - straight).toFixed(3)} to ${straight.toFixed(3)}`;
    row(command[1] === relay ? 'a bare relay' : command[0].replace(build, 'build/'), through.toFixed(3), added);
    row(`  resident after ${rounds * 25 + 300} calls, MB`, started.residentMegabytes.toFixed(1));
    await started.stop();
  }
  direct.close();
  await atRest(environment, bridges);
}

async function atRest(environment, paths) {
  print('\nResident after initialize and tools/list, MB, median of 5');
  const named = [[process.execPath, echo], ...paths.map(path => [path])];
  for (const command of named) {
    const resident = await residentAfterList(command, environment);
    row(command[1] === echo ? 'echo script' : command[0].replace(build, 'build/'), resident.toFixed(1));
  }
}
