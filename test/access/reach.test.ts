import { expect, test } from '@jest/globals';
import { loadConnectionRegister } from '../../daemon/access/connection-register.ts';
import { reach, visibleConnections } from '../../daemon/access/reach.ts';
import { connectionWith, principalWith } from './principals.ts';

const ids = ['1', '2', '3', '4'].map(digit => `6f7f6a1e-0000-4000-8000-00000000000${digit}`);
const [shopId = '', stagingId = '', secretId = '', quietId = ''] = ids;

const register = await loadConnectionRegister({
  load: async () => [
    connectionWith({ id: shopId, name: 'Shop' }),
    connectionWith({ id: stagingId, name: 'Staging' }),
    connectionWith({ id: secretId, name: 'Secret', externalClients: { level: 'blocked', writeUntil: null } }),
    connectionWith({ id: quietId, name: 'Quiet', aiPolicy: 'never' }),
  ],
  save: async () => {},
  remove: async () => {},
  restore: async () => {},
  delete: async () => {},
});

test('a connection is found by id and by name in any case', () => {
  for (const asked of [shopId, shopId.toUpperCase(), 'Shop', 'sHOP']) {
    const found = reach(register, principalWith(), asked, 0);
    expect(found.kind === 'reached' && found.reached.connection.id).toBe(shopId);
  }
});

test('unknown, blocked, never and not allowed get exactly the same answer, which names none of them', () => {
  const principal = principalWith({ connections: [shopId, secretId, quietId] });
  const answers = ['Secret', secretId, 'Quiet', 'Staging', 'Nothing such'].map(asked => {
    const found = reach(register, principal, asked, 0);
    return found.kind === 'refused' && found.refusal.kind === 'connection_unavailable' ? found.refusal.usable : null;
  });
  for (const usable of answers) expect(usable).toEqual(['Shop']);
});

test('the usable connections are named nearest first', () => {
  const found = reach(register, principalWith(), 'stagin', 0);
  expect(found).toMatchObject({ refusal: { usable: ['Staging', 'Shop'] } });
});

test('the visible ones are those that a principal may use', () => {
  expect(visibleConnections(register, principalWith(), 0).map(({ connection }) => connection.name)).toEqual([
    'Shop',
    'Staging',
  ]);
  expect(visibleConnections(register, principalWith({ connections: [] }), 0)).toEqual([]);
});
