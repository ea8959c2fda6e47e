/**
 * The smallest bridge on `node:http`: a line in, a POST on a kept connection, a line out. It proves
 * nothing and knows no era.
 */

const { readFileSync } = require('node:fs');
const { Agent, request } = require('node:http');
const { createInterface } = require('node:readline');

const { port, token } = JSON.parse(readFileSync(`${process.env.SALLYPORT_HOME}/mcp-handshake.json`, 'utf8'));
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const bridgeId = '5f0c1f0e-3c0d-4d0b-9a55-6a1f5d0c0001';

createInterface({ input: process.stdin }).on('line', body => {
  const { id, method, params } = JSON.parse(body);
  if (method === 'initialize') {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`);
    return;
  }
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    'Mcp-Name': params.name,
    Authorization: `Bearer ${token}`,
    'Sallyport-Bridge': bridgeId,
  };
  const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers }, response => {
    const chunks = [];
    response.on('data', chunk => chunks.push(chunk));
    response.on('end', () => process.stdout.write(`${Buffer.concat(chunks)}\n`));
  });
  sent.end(body);
});
