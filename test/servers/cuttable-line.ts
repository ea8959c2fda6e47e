/** A TCP line to a server that a test can cut, or silence without a cut, at a chosen moment. */

import { connect, createServer, type Socket } from 'node:net';

/**
 * What happens to the line when these bytes come from the client. They are passed on or not; after
 * them nothing is.
 */
export interface Trap {
  readonly bytes: string;
  readonly passesThem: boolean;
  /** `cut`: both ends see the line close. `silent`: neither learns of it. */
  readonly how: 'cut' | 'silent';
  /** The next line with these bytes passes. */
  readonly once?: true;
}

export interface CuttableLine {
  readonly port: number;
  /** Null: everything passes. Silenced lines stay silent. */
  set(trap: Trap | null): void;
  /** Cuts or silences all present lines. */
  now(what: Trap['how']): void;
  close(): Promise<void>;
}

export async function openLine(to: number): Promise<CuttableLine> {
  const pairs = new Map<Socket, { readonly far: Socket; silent: boolean }>();
  let trap: Trap | null = null;
  const end = (near: Socket, what: Trap['how']): void => {
    const pair = pairs.get(near);
    if (pair === undefined) return;
    pair.silent = true;
    if (what === 'silent') return;
    pairs.delete(near);
    near.resetAndDestroy();
    // Bytes written before still arrive.
    pair.far.end();
  };
  const server = createServer(near => {
    const pair = { far: connect(to, '127.0.0.1'), silent: false };
    pairs.set(near, pair);
    near.on('data', bytes => {
      if (pair.silent) return;
      const springs = trap !== null && bytes.includes(trap.bytes);
      if (!springs || trap?.passesThem) pair.far.write(bytes);
      if (!springs || trap === null) return;
      end(near, trap.how);
      if (trap.once) trap = null;
    });
    pair.far.on('data', bytes => {
      if (!pair.silent) near.write(bytes);
    });
    near.on('error', () => {});
    pair.far.on('error', () => {});
    near.on('close', () => pair.far.destroy());
    pair.far.on('close', () => {
      if (!pair.silent) near.destroy();
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    set(next) {
      trap = next;
    },
    now(what) {
      for (const near of [...pairs.keys()]) end(near, what);
    },
    async close() {
      for (const [near, { far }] of pairs) {
        near.destroy();
        far.destroy();
      }
      await new Promise(resolve => server.close(resolve));
    },
  };
}
