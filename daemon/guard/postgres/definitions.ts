/**
 * Verdicts on statements that define or alter objects whose danger lies in an option: language,
 * handler, file, extension.
 */

import { isKnownSecret, isSystemCatalog } from './system-catalogs.ts';
import { type Fields, listOf, type Option, optionsOf, optionText, taggedNode } from './tree.ts';
import { destructive, forbidden, say, type Verdict, write } from './verdict.ts';

/**
 * Languages that run outside the database's own checks: machine code, or interpreters that reach
 * the system.
 */
const untrustedLanguage =
  /^(c|internal|pl(python|perl|tcl|java|lua|php|ruby|r|sh|v8|rust)?[23]?u|plpython[23]?|plr|plsh|plphp|javau?|plxslt)$/;

/**
 * Extensions that bring such a language, reach the network or server files, or run jobs of their
 * own.
 */
const actingExtension =
  /^(pl\w*u|plpython[23]?|plr|plsh|dblink|adminpack|\w+_fdw|http|pg_net|pg_cron|pg_background|pgagent|aws_\w+|azure_\w+|pg_execute\w*|file_\w+|\w+_plpython[23]?u|\w+_plperlu|multicorn)$/;

/**
 * Extensions that bring types, operators, functions and views under names of their own, and act on
 * nothing that exists. `intarray` isn't one: its operators come before those of every array.
 * `postgis_topology` isn't one either: it puts its schema into the database's search path.
 */
const knownExtensions: ReadonlySet<string> = new Set(
  `amcheck bloom btree_gin btree_gist citext cube dict_int dict_xsyn earthdistance fuzzystrmatch hstore isn lo ltree moddatetime
   pageinspect pg_buffercache pg_freespacemap pg_prewarm pg_stat_statements pg_trgm pg_visibility pg_walinspect pgcrypto pgrowlocks
   pgstattuple seg sslinfo tablefunc tcn tsm_system_rows tsm_system_time unaccent uuid-ossp xml2 plpgsql vector pgvector postgis
   postgis_raster address_standardizer`.split(/\s+/),
);

export function classifyExtension(command: 'CREATE EXTENSION' | 'ALTER EXTENSION', name: string): Verdict {
  if (actingExtension.test(name.toLowerCase())) {
    return forbidden(`${command} ${name} brings code that reaches the system, files or the network of the server.`);
  }
  if (command === 'ALTER EXTENSION')
    return destructive(say('%@ %@ replaces code that other statements run.', command, name));
  return knownExtensions.has(name)
    ? write(say('%@ %@ adds types and functions.', command, name))
    : destructive(say("%@ %@ brings code that isn't known here and runs later with other statements.", command, name));
}

export function classifyFunction(fields: Fields): Verdict {
  const command = fields.is_procedure === true ? 'CREATE PROCEDURE' : 'CREATE FUNCTION';
  const options = optionsOf(fields.options);
  const language = options.filter(option => option.name === 'language').map(option => optionText(option.value) ?? '');
  const untrusted = language.find(name => untrustedLanguage.test(name.toLowerCase()));
  if (untrusted !== undefined) return forbidden(`${command} in the language ${untrusted} puts code into the server.`);
  const isLinked = options.some(option => {
    const body = taggedNode(option.value);
    return option.name === 'as' && body?.tag === 'List' && listOf(body.fields.items).length > 1;
  });
  return isLinked
    ? forbidden(`${command} from an object file puts code into the server.`)
    : destructive(say('%@ puts code into the database, which runs later with other statements.', command));
}

const fileOptions: ReadonlySet<string> = new Set(['filename', 'program', 'dirname', 'directory']);

/**
 * Foreign tables. Their options may name a file or a program of the server (`file_fdw`), or a
 * catalog of another server (`postgres_fdw`).
 */
export function classifyForeignOptions(command: string, options: readonly Option[]): Verdict {
  const [schema = null, name = ''] = ['schema_name', 'table_name'].map(wanted => {
    const found = options.find(option => option.name.toLowerCase() === wanted);
    return found === undefined ? undefined : (optionText(found.value) ?? '');
  });
  if (isSystemCatalog({ schema, name }) || isKnownSecret(name)) {
    return forbidden(`${command} of ${name} shows a catalog of another server, which may hold passwords.`);
  }
  const reaching = options.find(option => fileOptions.has(option.name.toLowerCase()));
  return reaching === undefined
    ? destructive(say('%@ says which table of another server is read and changed under this name.', command))
    : forbidden(`${command} with the option ${reaching.name} reaches files or programs of the database server.`);
}
