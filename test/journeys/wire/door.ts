/** A home whose daemon serves the shop's database through the door for PostgreSQL's clients. */

import { join } from 'node:path';
import { openShop, type Shop, shopperPassword } from '../../attacks/wire/shop.ts';
import type { PostgresBinaries } from '../../servers/postgres.ts';
import { type RealHome, realHome } from '../../shell-terminal/real-home.ts';
import type { Entrance } from './node-drivers.ts';

export interface OpenDoor {
  readonly home: RealHome;
  readonly shop: Shop;
  readonly folder: string;
  /** Of the socket, with its file's name. */
  readonly path: string;
  readonly through: Entrance;
  /** The same account on the server itself. */
  readonly bare: Entrance;
  stop(): Promise<void>;
}

/** @param account of the saved connection. */
export async function openDoor(
  binaries: PostgresBinaries,
  account: 'shopper' | 'postgres' = 'shopper',
): Promise<OpenDoor> {
  const shop = await openShop(binaries);
  const home = realHome();
  const stop = async () => {
    await home.clean();
    await shop.stop();
  };
  try {
    const url = `postgres://${account}@127.0.0.1:${shop.server.port}/shop`;
    const password = account === 'shopper' ? shopperPassword : shop.server.password;
    await home.run(['start']);
    await home.json(['connections', 'add', url, '--name', 'Shop', '--password-stdin'], password);
    const { folder } = await home.json<{ folder: string }>(['wire', 'work', '--connections', 'Shop']);
    return {
      home,
      shop,
      folder,
      path: join(folder, '.s.PGSQL.5432'),
      through: { folder, port: 5432, user: 'anybody', database: 'shop' },
      bare: { folder: shop.server.socketFolder, port: shop.server.port, user: account, database: 'shop' },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
