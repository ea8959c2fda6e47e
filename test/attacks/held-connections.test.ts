/**
 * Threat: a program without a token, of this user or another one on this machine, keeps clients
 * out. It takes every connection there is. It sends the body of a request a byte now and then, for
 * a request that needs no token or one that is refused.
 */

import { expect, test } from '@jest/globals';
import { runServer } from '../clients/http/running-server.ts';
import { modern, openRaw, type RawConnection, send } from '../clients/http/wire.ts';
import { until } from '../waiting/until.ts';

const places = 4;

test.each(['/v1/integrations/exchange', '/mcp'])(
  'a program that holds all of them at %s gives way to a client',
  async path => {
    const server = await runServer({ connections: places });
    const held: RawConnection[] = [];
    try {
      const hold = async (): Promise<void> => {
        const raw = await openRaw(server.http.port);
        const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json`;
        raw.write(`${head}\r\nContent-Length: 100\r\n\r\n{`);
        held.push(raw);
      };
      for (let number = 0; number < places; number += 1) await hold();
      // Each has started a request by now, so none is idle.
      await new Promise(resolve => setTimeout(resolve, 100));
      const token = await server.token();
      const call = modern(token, 'tools/call', { name: 'slow', arguments: { name: 'one', milliseconds: 300 } });
      const answer = send(server.url, call);
      await until(() => server.slowTool.includes('began one'), 'the call began');
      // The client's own connection works, so it doesn't give way to more of them.
      for (let number = 0; number < 2 * places; number += 1) await hold();
      expect((await answer).status).toBe(200);
    } finally {
      for (const raw of held) raw.end();
      await server.stop();
    }
  },
);
