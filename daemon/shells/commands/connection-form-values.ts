/** The values of a connection's form, as texts: of what is saved, and of a pasted connection. */

import type { ConnectionUrlView, ConnectionView } from '../messages/connections.ts';

/** By the fields' keys; what is left out is empty. */
export type FormValues = Readonly<Record<string, string>>;

/** @param saved null for a new connection. */
export function formValues(saved: ConnectionView | null): FormValues {
  if (saved === null) return beginning;
  const { password, externalClients } = saved;
  return {
    ...valuesOfPlace({ ...saved, endpoint: saved }),
    ...textsOf(saved, '', asKept),
    password: password.kind === 'stored' ? 'kept' : password.kind,
    'password.command': password.kind === 'command' ? password.command : '',
    tags: saved.tags.join(', '),
    externalClients: externalClients.level,
    // Empty: its end stays as it is.
    'externalClients.forSeconds': externalClients.level === 'readWrite' ? '' : 'halfHour',
  };
}

const asKept = [
  ...(['name', 'databases', 'statementTimeoutSeconds', 'rowLimit', 'writeRowLimit'] as const),
  ...(['timeZone', 'colour', 'group', 'aiPolicy'] as const),
];

const beginning: FormValues = {
  engine: 'postgres',
  place: 'host',
  password: 'none',
  tunnel: 'none',
  externalClients: 'readOnly',
  'externalClients.forSeconds': 'halfHour',
  aiPolicy: 'always',
};

/** What a pasted connection says; of the rest it says nothing. */
export function pastedValues(pasted: ConnectionUrlView): FormValues {
  const { password, passwordIsPlaceholder, timeZone, tls } = pasted;
  return {
    ...valuesOfPlace(pasted),
    tls: text(tls.mode),
    ...((password !== null || passwordIsPlaceholder) && { password: 'stored', 'password.value': password ?? '' }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

type Place = Pick<ConnectionUrlView, 'endpoint' | 'tunnel' | 'targetServers' | 'signInMethods' | 'tls'>;

function valuesOfPlace({ endpoint, tunnel, targetServers, signInMethods, tls }: Place): FormValues {
  const ssh = tunnel?.kind === 'ssh' ? tunnel : null;
  return {
    engine: endpoint.engine,
    place: endpoint.socketPath === null ? 'host' : 'socket',
    ...textsOf(endpoint, 'endpoint.', ['host', 'port', 'socketPath', 'filePath', 'database', 'user']),
    'tls.caFile': text(tls.caFile),
    'tls.clientCertificate.certificateFile': text(tls.clientCertificate?.certificateFile),
    'tls.clientCertificate.keyFile': text(tls.clientCertificate?.keyFile),
    tunnel: tunnel?.kind ?? 'none',
    'tunnel.destination': text(ssh?.destination),
    'tunnel.jumps': text(ssh?.jumps.join(', ')),
    'tunnel.keyFile': text(ssh?.keyFile),
    'tunnel.command': tunnel?.kind === 'command' ? tunnel.command : '',
    targetServers: text(targetServers),
    // No field shows them.
    signInMethods: text(signInMethods?.join(', ')),
  };
}

function textsOf<Name extends string>(
  of: Readonly<Record<Name, string | number | null>>,
  prefix: string,
  names: readonly Name[],
): FormValues {
  return Object.fromEntries(names.map(name => [`${prefix}${name}`, text(of[name])]));
}

function text(value: string | number | null | undefined): string {
  return value == null ? '' : String(value);
}
