/**
 * What a person typed into the form of a connection, as `connections.save` takes it: all for a new
 * connection, and only the changes for a saved one. A wrong value stays wrong, for that command to
 * say so.
 */

import { secondsUntilMidnight } from '../../../shared/until-midnight.ts';
import { absolutePath } from '../../../shared/url-parts.ts';
import type { ConnectionView } from '../messages/connections.ts';
import type { ConnectionSaveParams } from './connection-fields.ts';
import { formSections } from './connection-form-sections.ts';
import { type FormValues, formValues } from './connection-form-values.ts';

/**
 * @param typed by the fields' keys; what is left out is as it was.
 * @param home absolute, for `~/` and relative paths.
 * @param at milliseconds since 1970, for what lasts until tonight.
 */
export function draftOf(
  saved: ConnectionView | null,
  typed: FormValues,
  { home, at }: { readonly home: string; readonly at: number },
): ConnectionSaveParams {
  const former = formValues(saved);
  const values = { ...former, ...absolutePathsIn(typed, saved, home) };
  const readers: Typed[] = [former, values].map(each => key => each[key] ?? '');
  const [before, after] = readers.map(each => partsOf(each, saved));
  const changed = membersChanged(before, after);
  const isElsewhere = saved === null || 'tunnel' in changed || placeOf(after) !== placeOf(before);
  const [tlsBefore, tlsAfter] = readers.map(tlsOf);
  // Of another place, the mode says nothing.
  const mode = isElsewhere ? undefined : saved?.tls.mode;
  // The daemon forgets the file for another place.
  const caFile = isElsewhere && tlsAfter?.caFile ? { caFile: tlsAfter.caFile } : {};
  const tls = values.engine === 'sqlite' ? {} : { ...membersChanged({ ...tlsBefore, mode }, tlsAfter), ...caFile };
  const draft = {
    ...(saved === null ? { name: '', endpoint: after?.endpoint } : { connection: saved.id }),
    ...changed,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...externalClientsOf(values, former, at),
  };
  // Its words and numbers are as typed; `connections.save` checks each.
  return draft as ConnectionSaveParams;
}

type Typed = (key: string) => string;

/** A saved path that nobody changed keeps its spelling: another spelling is another place. */
function absolutePathsIn(typed: FormValues, saved: ConnectionView | null, home: string): FormValues {
  const former = formValues(saved);
  const paths = new Set(
    formSections(saved).flatMap(({ fields }) => fields.filter(({ kind }) => kind === 'path').map(({ key }) => key)),
  );
  const isPath = ([key, text]: [string, string]) => paths.has(key) && text !== former[key];
  return Object.fromEntries(
    Object.entries(typed).map(each => [each[0], isPath(each) ? pathIn(each[1], home) : each[1]]),
  );
}

/** What is taken as a whole: null empties it, and undefined leaves it. */
function partsOf(typed: Typed, saved: ConnectionView | null) {
  const isFile = typed('engine') === 'sqlite';
  const isHost = typed('place') === 'host';
  const isPostgres = typed('engine') === 'postgres';
  const methods = listed(typed('signInMethods'));
  const tunnel = isFile || !isHost ? null : tunnelOf(typed);
  const port = isHost ? numberIn(typed('endpoint.port')) : (saved?.port ?? null);
  return {
    name: typed('name'),
    endpoint: {
      engine: typed('engine'),
      host: !isFile && isHost ? typed('endpoint.host') : null,
      port: isFile ? null : port,
      socketPath: isFile || isHost ? null : typed('endpoint.socketPath'),
      filePath: isFile ? typed('endpoint.filePath') : null,
      database: isFile ? null : orNull(typed('endpoint.database')),
      user: isFile ? null : orNull(typed('endpoint.user')),
    },
    password: isFile ? undefined : passwordOf(typed),
    databases: typed('databases') || undefined,
    targetServers: isPostgres ? orNull(typed('targetServers')) : null,
    signInMethods: isPostgres && methods.length > 0 ? methods : null,
    tunnel,
    sshPassphrase: (tunnel?.kind === 'ssh' && typed('sshPassphrase')) || undefined,
    sshPassword: (tunnel?.kind === 'ssh' && typed('sshPassword')) || undefined,
    statementTimeoutSeconds: numberIn(typed('statementTimeoutSeconds')),
    rowLimit: numberIn(typed('rowLimit')),
    writeRowLimit: numberIn(typed('writeRowLimit')),
    timeZone: orNull(typed('timeZone')),
    colour: orNull(typed('colour').toLowerCase()),
    group: orNull(typed('group')),
    tags: listed(typed('tags')),
    aiPolicy: typed('aiPolicy'),
  };
}

type Parts = ReturnType<typeof partsOf> | undefined;
const placeOf = (parts: Parts): string => `${parts?.endpoint.host} ${parts?.endpoint.socketPath}`;

function passwordOf(typed: Typed) {
  const kind = typed('password');
  if (kind === 'stored') return { kind, value: typed('password.value') };
  if (kind === 'command') return { kind, command: typed('password.command') };
  return kind === 'none' ? { kind } : undefined;
}

function tunnelOf(typed: Typed) {
  const kind = typed('tunnel');
  if (kind === 'command') return { kind, command: typed('tunnel.command') };
  if (kind !== 'ssh') return null;
  const keyFile = orNull(typed('tunnel.keyFile'));
  return { kind, destination: typed('tunnel.destination'), jumps: listed(typed('tunnel.jumps')), keyFile };
}

function tlsOf(typed: Typed) {
  const [certificateFile, keyFile] = ['certificateFile', 'keyFile'].map(file => typed(`tls.clientCertificate.${file}`));
  return {
    mode: typed('tls') || undefined,
    caFile: orNull(typed('tls.caFile')),
    clientCertificate: certificateFile || keyFile ? { certificateFile, keyFile } : null,
    keyPassphrase: typed('tls.keyPassphrase') || undefined,
  };
}

/** Saving a name must not make half an hour of write access permanent. */
function externalClientsOf(values: FormValues, former: FormValues, at: number): object {
  const [level, duration] = [values.externalClients, values['externalClients.forSeconds']];
  const isSame = level === former.externalClients && (level !== 'readWrite' || duration === '');
  if (isSame) return {};
  if (level !== 'readWrite' || duration === 'noEnd') return { externalClients: { level } };
  const forSeconds = duration === 'tonight' ? secondsUntilMidnight(new Date(at)) : 1800;
  return { externalClients: { level, forSeconds } };
}

function membersChanged(before: object | undefined, after: object = {}): object {
  const of: Readonly<Record<string, unknown>> = { ...before };
  const isOther = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(of[name]);
  return Object.fromEntries(Object.entries(after).filter(each => each[1] !== undefined && isOther(each)));
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** 0 for a text that is no number: no number here may be 0. */
function numberIn(text: string): number | null {
  return text === '' ? null : /^-?\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The parts between commas, each once. */
function listed(text: string): string[] {
  return [...new Set(text.split(',').map(part => part.trim()))].filter(part => part !== '');
}

/** The absolute path; as typed if there is none, such as of `~somebody`. */
function pathIn(text: string, home: string): string {
  return text === '' ? text : (absolutePath(text, { cwd: home, home }) ?? text);
}
