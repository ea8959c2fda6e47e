/** Calls the daemon directly, as the bridge does, to show what the bridge adds. */

import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

export class Direct {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #handshake;
  #bridgeId = randomUUID();

  constructor(handshake) {
    this.#handshake = handshake;
  }

  ask(body) {
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          ...{ host: '127.0.0.1', port: this.#handshake.port, path: '/mcp', method: 'POST', agent: this.#agent },
          headers: {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
            Accept: 'application/json, text/event-stream',
            'MCP-Protocol-Version': '2026-07-28',
            'Mcp-Method': 'tools/call',
            'Mcp-Name': 'list_connections',
            Authorization: `Bearer ${this.#handshake.token}`,
            'Sallyport-Bridge': this.#bridgeId,
          },
        },
        response => {
          const chunks = [];
          response.on('data', chunk => chunks.push(chunk));
          response.on('end', () => {
            const answer = JSON.parse(Buffer.concat(chunks).toString());
            if (answer.error) reject(new Error(JSON.stringify(answer)));
            else resolve(performance.now() - began);
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}
