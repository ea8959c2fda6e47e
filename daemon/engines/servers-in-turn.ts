/** The servers of one connection, one endpoint each, in the order in which they are tried. */

import { hostsIn } from '../../shared/server-hosts.ts';
import type { Endpoint } from '../access/connection.ts';
import { ReadWall } from './read-wall.ts';

export class ServersInTurn {
  /** The connection's own endpoint, which may name them all. */
  readonly endpoint: Endpoint;
  readonly count: number;
  readonly readWall: ReadWall;
  readonly #servers: Endpoint[];

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
    this.readWall = new ReadWall(endpoint.walls === 'one');
    const hosts = endpoint.host === null ? null : hostsIn(endpoint.host);
    this.#servers =
      hosts === null || hosts.length === 1
        ? [endpoint]
        : hosts.map(({ host, port }) => ({ ...endpoint, host, port: port ?? endpoint.port }));
    this.count = this.#servers.length;
  }

  get inTurn(): readonly Endpoint[] {
    return [...this.#servers];
  }

  /** The next session tries it first: those passed over would delay every session. */
  answered(server: Endpoint): void {
    while (this.#servers.includes(server) && this.#servers[0] !== server) this.silent(this.#servers[0]);
  }

  /** From now on it comes last. */
  silent(server: Endpoint | undefined): void {
    const at = server === undefined ? -1 : this.#servers.indexOf(server);
    if (at >= 0) this.#servers.push(...this.#servers.splice(at, 1));
  }
}
