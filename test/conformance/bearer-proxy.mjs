/**
 * Passes each request on unchanged except for an added bearer: the conformance suite has no option
 * for headers.
 */

import { createServer, request } from 'node:http';

/** @returns {Promise<{ url: string, close: () => void }>} */
export function startBearerProxy(target, token) {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const headers = [...incoming.rawHeaders, 'Authorization', `Bearer ${token}`];
    const upstream = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  });
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: `http://127.0.0.1:${server.address().port}${pathname}`, close });
    });
  });
}
