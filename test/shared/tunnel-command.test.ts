/** How a tunnel command says where it listens. */

import { expect, test } from '@jest/globals';
import { filledIn, portTold, tunnelWay } from '../../shared/tunnel-command.ts';

test.each([
  ['cloud-sql-proxy --port {port} p:r:i', 'port', 'cloud-sql-proxy --port 5 p:r:i'],
  ["cloud-sql-proxy 'p:r:i?unix-socket-path={socket}'", 'socket', "cloud-sql-proxy 'p:r:i?unix-socket-path=5'"],
  [' {stdio} kubectl exec -i x -- socat - TCP:db:5432', 'stdio', 'kubectl exec -i x -- socat - TCP:db:5432'],
  ['kubectl port-forward svc/db :5432', 'told', 'kubectl port-forward svc/db :5432'],
  ['echo {stdio}', 'told', 'echo {stdio}'],
])('%s', (command, way, filled) => {
  expect(tunnelWay(command)).toBe(way);
  expect(filledIn(command, '5')).toBe(filled);
});

test.each<[output: string, port: number | null]>([
  ['Forwarding from 127.0.0.1:40123 -> 5432\nForwarding from [::1]:40123 -> 5432\n', 40_123],
  ['2026/11/27 [p:r:i] Listening on 127.0.0.1:5432\n', 5432],
  ['Starting session with SessionId: anna-0\nPort 56789 opened for sessionId anna-0.\n', 56_789],
  ['on localhost:1', 1],
  ['Forwarding from 10.0.0.1:40123', null],
  ['127.0.0.1:0', null],
  ['127.0.0.1:65536', null],
  ['127.0.0.1:655360', null],
  ['127.0.0.1:543210', null],
  ['', null],
])('%j says %j', (output, port) => expect(portTold(output)).toBe(port));
