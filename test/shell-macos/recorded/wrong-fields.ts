/** A saved connection with one field wrong, for each field that the app's form has. */

import { postgresAt, sqliteAt } from '../../shells/asking.ts';
import type { Scene } from './scenes.ts';

const connection = {
  name: 'Shop',
  endpoint: postgresAt('db.example'),
  password: { kind: 'stored', value: 'an example password' },
};
const ssh = { kind: 'ssh', destination: 'anna@bastion', jumps: [], keyFile: null };
const certificate = { certificateFile: '/home/anna/shop.crt', keyFile: '/home/anna/shop.key' };
const tls = { mode: 'verify-ca', caFile: '/etc/ssl/shop-ca.pem', clientCertificate: certificate };

const wrong: Readonly<Record<string, object>> = {
  name: { name: '' },
  'endpoint.host': { endpoint: { ...connection.endpoint, host: '' } },
  'endpoint.port': { endpoint: { ...connection.endpoint, port: 70_000 } },
  'endpoint.socketPath': { endpoint: { ...connection.endpoint, host: null, socketPath: 'run/postgresql' } },
  'endpoint.filePath': { endpoint: sqliteAt('shop.db'), password: undefined },
  'endpoint.database': { endpoint: { ...connection.endpoint, database: '' } },
  'endpoint.user': { endpoint: { ...connection.endpoint, user: '' } },
  'password.value': { password: { kind: 'stored', value: 7 } },
  'password.command': { password: { kind: 'command', command: '' } },
  tls: { tls: 'on' },
  'tls.caFile': { tls: { ...tls, caFile: 'shop-ca.pem' } },
  'tls.clientCertificate': { tls: { ...tls, clientCertificate: 'shop.crt' } },
  'tls.clientCertificate.certificateFile': {
    tls: { ...tls, clientCertificate: { ...certificate, certificateFile: 'shop.crt' } },
  },
  'tls.clientCertificate.keyFile': { tls: { ...tls, clientCertificate: { ...certificate, keyFile: 'shop.key' } } },
  'tls.keyPassphrase': { tls: { ...tls, keyPassphrase: 7 } },
  externalClients: { externalClients: 'readWrite' },
  timeZone: { timeZone: 'Nowhere' },
  tunnel: { tunnel: 'bastion' },
  'tunnel.destination': { tunnel: { ...ssh, destination: '-oProxyCommand=x' } },
  'tunnel.jumps': { tunnel: { ...ssh, jumps: ['-x'] } },
  'tunnel.keyFile': { tunnel: { ...ssh, keyFile: 'id_ed25519' } },
  'tunnel.command': { tunnel: { kind: 'command', command: [] } },
  sshPassphrase: { tunnel: ssh, sshPassphrase: 7 },
  sshPassword: { tunnel: ssh, sshPassword: 7 },
  statementTimeoutSeconds: { statementTimeoutSeconds: -1 },
  rowLimit: { rowLimit: -1 },
  writeRowLimit: { writeRowLimit: -1 },
  group: { group: 7 },
  tags: { tags: 'prod' },
};

export const wrongFields: Readonly<Record<string, Scene>> = Object.fromEntries(
  Object.entries(wrong).map(([field, change]) => [
    `wrong ${field}`,
    { changesNothing: true, ask: async () => ({ method: 'connections.save', params: { ...connection, ...change } }) },
  ]),
);
