/** A Galera cluster of three private MariaDB servers; `stop` removes them. */

import { existsSync } from 'node:fs';
import { missingPrograms } from '../missing-programs.ts';
import { until } from '../waiting/until.ts';
import { freePort } from './free-port.ts';
import { isMysql, type MariadbServer, mariadbUnavailable, startMariadb } from './mariadb.ts';

const provider = '/usr/lib/galera/libgalera_smm.so';

/** Null if a cluster can be started, else one sentence. */
export function galeraUnavailable(): string | null {
  const missing = mariadbUnavailable() ?? missingPrograms(['rsync', 'lsof'], 'apt-get install rsync lsof');
  if (missing !== null) return missing;
  return existsSync(provider) && !isMysql() ? null : 'Galera is not installed: apt-get install galera-4.';
}

export interface GaleraCluster {
  readonly nodes: readonly [MariadbServer, MariadbServer, MariadbServer];
  /** The options that a node needs to join the others again. */
  options(node: 0 | 1 | 2): readonly string[];
  stop(): Promise<void>;
}

export async function startGalera(): Promise<GaleraCluster> {
  const nodes = await Promise.all([startMariadb(), startMariadb(), startMariadb()]);
  const [first] = nodes;
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map(node => node.stop()));
  };
  try {
    const listens = [await freePort(), await freePort(), await freePort()];
    const options: string[][] = [];
    for (const [at, node] of nodes.entries()) {
      const [incremental, whole] = [await freePort(), await freePort()];
      const joins = (other: number) => `--wsrep-cluster-address=gcomm://127.0.0.1:${listens[other]}`;
      options.push([
        ...['--wsrep-on=ON', `--wsrep-provider=${provider}`, '--wsrep-cluster-name=tests', `--wsrep-node-name=n${at}`],
        ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--wsrep-sst-method=rsync'],
        // A write on one node is read on the next.
        '--wsrep-sync-wait=1',
        `--wsrep-node-address=127.0.0.1:${listens[at]}`,
        `--wsrep-sst-receive-address=127.0.0.1:${whole}`,
        `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${listens[at]};ist.recv_addr=127.0.0.1:${incremental};gcache.size=16M;pc.recovery=false`,
        joins(at === 0 ? 1 : 0),
      ]);
      const begins = ['--wsrep-cluster-address=gcomm://', '--wsrep-new-cluster'];
      await node.restart([...(options[at] ?? []), ...(at === 0 ? begins : [])]);
      const state = () => node.ask("show status like 'wsrep_local_state_comment'");
      await until(async () => (await state()).includes('Synced'), 'the node is synced', 30);
    }
    const size = await first.ask("show status like 'wsrep_cluster_size'");
    if (!/\t3\n/.test(size)) throw new Error(`The cluster has not three nodes: ${size}`);
    return { nodes, options: node => options[node] ?? [], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
