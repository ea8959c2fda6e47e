import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { portOwner } from '../../daemon/processes/port-owner.ts';
import { listenersIn } from '../../shared/port-holder.ts';
import { needsLinux } from '../needs.ts';

needsLinux.describe('the owner of a port', () => {
  test.each(['127.0.0.1', '::1', '0.0.0.0', '::'])('a listener at %s is its user’s', async host => {
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const at = host === '::1' || host === '127.0.0.1' ? host : host === '::' ? '::1' : '127.0.0.1';
    expect(await portOwner(at, port)).toBe(process.getuid?.());
    // At the other address nobody listens.
    if (host === '127.0.0.1') expect(await portOwner('::1', port)).toBeNull();
    if (host === '::1') expect(await portOwner('127.0.0.1', port)).toBeNull();
    await new Promise(resolve => server.close(resolve));
    expect(await portOwner(at, port)).toBeNull();
  });

  test('of several listeners at one port, each is told by its address', () => {
    const line = (local: string, uid: number, state = '0A') =>
      `   0: ${local}:1538 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 12345 1 0 100 0 0 10 0`;
    const table = [
      '  sl  local_address …',
      line('0100007F', 26),
      line('00000000', 1000),
      line('0100007F', 7, '01'),
      '',
    ];
    expect(listenersIn(table.join('\n'), 5432)).toEqual([
      { local: '0100007F', uid: 26, inode: '12345' },
      { local: '00000000', uid: 1000, inode: '12345' },
    ]);
    expect(listenersIn(table.join('\n'), 5433)).toEqual([]);
  });
});
