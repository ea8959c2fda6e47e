/** What is repeated of a failed handshake, of a real one. */

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect } from '@jest/globals';
import { tlsReason, tlsWords } from '../../daemon/engines/tls-reason.ts';
import { missingPrograms, needs } from '../needs.ts';
import { makeChain } from '../servers/certificates.ts';

needs(missingPrograms(['openssl'], 'apt-get install openssl')).test(
  'Node’s advice to who starts a Node is left out: a person can’t follow it, and a client would read it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-tls-'));
    const { keyFile } = makeChain(folder, ['localhost']);
    const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(join(folder, 'leaf.crt')) });
    server.on('tlsClientError', () => {});
    try {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const [{ message }] = (await once(connect(port, '127.0.0.1', { servername: 'localhost' }), 'error')) as [Error];
      expect(message).toContain('Node.js');
      expect(tlsWords(message)).toBe('unable to verify the first certificate');
      expect(tlsReason(message).problem).toBe('unknown_authority');
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  },
);
