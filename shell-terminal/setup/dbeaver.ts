/**
 * Databases that DBeaver knows (its manual, "Managing connections"): one JSON file per project. Its
 * passwords are encrypted and stay there.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseConnectionUrl } from '../../shared/connection-url.ts';
import type { SshTunnelView } from '../../shared/control-commands.ts';
import { connectionsOf } from '../../shared/engine.ts';
import { isObject, parsedJson } from '../../shared/json.ts';
import { sshHopIn } from '../../shared/ssh-hop.ts';
import { absolutePath, type ConnectionUrl, type PathBase } from '../../shared/url-parts.ts';
import { notSupported, unsupportedDatabase } from '../../shared/url-schemes.ts';
import { type FoundDatabases, mergeFound, nothingFound, unusable } from './candidate.ts';
import { textOf } from './files.ts';
import { connectionOfParts, engineMeant } from './parts.ts';

/** Of the person's home; as Flatpak and snap keep them, too. */
const folders: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    '.local/share/DBeaverData',
    '.var/app/io.dbeaver.DBeaverCommunity/data/DBeaverData',
    'snap/dbeaver-ce/current/.local/share/DBeaverData',
  ],
  darwin: ['Library/DBeaverData'],
};

/** @param dataHome XDG_DATA_HOME. */
export function inDBeaver(
  base: PathBase,
  dataHome: string | undefined,
  platform: NodeJS.Platform = process.platform,
): FoundDatabases {
  const own = dataHome === undefined || platform !== 'linux' ? [] : [join(dataHome, 'DBeaverData')];
  const all = [...own, ...(folders[platform] ?? []).map(folder => join(base.home, folder))];
  const workspaces = [...new Set(all)].map(folder => join(folder, 'workspace6'));
  return mergeFound(
    workspaces.flatMap(workspace =>
      namesIn(workspace).flatMap(project => {
        const place = join(workspace, project, '.dbeaver');
        return namesIn(place)
          .filter(name => /^data-sources.*\.json$/.test(name))
          .map(name => inFile(join(place, name), base));
      }),
    ),
  );
}

function inFile(path: string, base: PathBase): FoundDatabases {
  const sources = parsedJson(textOf(path) ?? '');
  if (!isObject(sources)) return unusable(`${path} of DBeaver`, "It can't be read; DBeaver may keep it encrypted.");
  return mergeFound(
    Object.values(isObject(sources.connections) ? sources.connections : {}).map(each => ofSource(each, base)),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

function ofSource(source: unknown, base: PathBase): FoundDatabases {
  if (!isObject(source) || !isObject(source.configuration)) return nothingFound;
  const { name = 'database' } = source;
  const from = `${typeof name === 'string' ? name : 'database'} of DBeaver`;
  const kind = `${source.provider} ${source.driver}`;
  const engine = engineMeant(kind);
  if (engine === null) {
    const other = kind
      .split(/[ _-]/)
      .map(word => unsupportedDatabase(word.toLowerCase()))
      .find(known => known !== null);
    return unusable(from, other == null ? 'Its driver is unknown.' : notSupported(other));
  }
  const { configuration } = source;
  const handlers = isObject(configuration.handlers) ? configuration.handlers : {};
  const others = Object.entries(handlers).flatMap(([kind, handler]) =>
    isObject(handler) && handler.enabled === true && kind !== 'ssh_tunnel' && !kind.endsWith('ssl') ? [kind] : [],
  );
  if (others.length > 0)
    return unusable(from, `It goes through DBeaver's ${others.join(' and ')}; add it with \`--tunnel-command\`.`);
  const tunnel = tunnelOf(handlers.ssh_tunnel, base);
  if (tunnel === 'unreadable')
    return unusable(from, "Its SSH tunnel can't be read; add it with `sallyport connections add URL --ssh HOST`.");
  const connection = connectionOf(engine, configuration, tlsOf(handlers), base);
  if (connection.kind === 'refused') return unusable(from, connection.problem);
  const tunnelled = tunnel === null ? connection : { ...connection, tunnel };
  return {
    candidates: [{ name: typeof name === 'string' ? name : 'database', from: 'DBeaver', connection: tunnelled }],
    unreadable: [],
  };
}

type Options = Readonly<Record<string, string | undefined>>;

/** Takes the fields, or the URL if that was typed. */
function connectionOf(
  engine: 'postgres' | 'mysql' | 'sqlite',
  configuration: Record<string, unknown>,
  options: Options,
  base: PathBase,
): ConnectionUrl {
  const [host, port, database, user, url] = ['host', 'port', 'database', 'user', 'url'].map(key =>
    textIn(configuration[key]),
  );
  const isByUrl = configuration.configurationType === 'URL' || (host === undefined && database === undefined);
  if (!isByUrl || url === undefined) return connectionOfParts({ engine, host, port, database, user, options }, base);
  const query = Object.entries(options).map(([name, value = '']) => `${name}=${encodeURIComponent(value)}`);
  const { isFile } = connectionsOf[engine];
  const whole = isFile || query.length === 0 ? url : `${url}${url.includes('?') ? '&' : '?'}${query.join('&')}`;
  const read = parseConnectionUrl(whole, base);
  if (read.kind === 'refused' || isFile || user === undefined || read.endpoint.user !== null) return read;
  return { ...read, endpoint: { ...read.endpoint, user } };
}

function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? `${value}` : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The handler's name is `postgre_ssl`, `mysql_ssl` or similar. */
function tlsOf(handlers: Record<string, unknown>): Options {
  const [handler] = Object.entries(handlers).flatMap(([name, value]) => {
    return name.endsWith('ssl') && isObject(value) && value.enabled === true ? [value] : [];
  });
  const properties = isObject(handler?.properties) ? handler.properties : null;
  if (properties === null) return {};
  const property = (...names: string[]): string | undefined =>
    names.map(name => textIn(properties[name])).find(Boolean);
  const isVerified = String(properties['ssl.verify.server']) !== 'false';
  const given = {
    sslmode: property('sslMode', 'ssl.mode') ?? (isVerified ? undefined : 'require'),
    sslrootcert: property('ssl.ca.cert', 'ca.cert'),
    sslcert: property('ssl.client.cert', 'client.cert'),
    sslkey: property('ssl.client.key', 'client.key'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Null if there is none. Its user may be encrypted elsewhere; then ssh uses its own. */
function tunnelOf(handler: unknown, base: PathBase): SshTunnelView | 'unreadable' | null {
  if (!isObject(handler) || handler.enabled !== true) return null;
  const properties = isObject(handler.properties) ? handler.properties : {};
  const [host, port, keyPath, user] = [properties.host, properties.port, properties.keyPath, handler.user].map(textIn);
  // It has jump hosts, in an unknown form.
  if (Object.entries(properties).some(([name, value]) => /jump/i.test(name) && value !== '' && value !== false))
    return 'unreadable';
  const address = host?.includes(':') ? `[${host}]` : host;
  const destination = `${user === undefined ? '' : `${user}@`}${address ?? ''}${port === undefined ? '' : `:${port}`}`;
  if (sshHopIn(destination) === null) return 'unreadable';
  const keyFile = keyPath === undefined || properties.authType !== 'PUBLIC_KEY' ? null : absolutePath(keyPath, base);
  return { kind: 'ssh', destination, jumps: [], keyFile };
}
