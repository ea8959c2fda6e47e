/** Verdicts on statements that define or alter objects whose danger lies in an option: language, handler, file, extension. */

import { isKnownSecret, isSystemCatalog } from './system-catalogs.ts';
import {
  type Fields,
  fieldsOf,
  listOf,
  nameParts,
  type Option,
  optionsOf,
  optionText,
  taggedNode,
  textOf,
} from './tree.ts';
import { destructive, forbidden, type Verdict, write } from './verdict.ts';

/** Languages that run outside the database's own checks: machine code, or interpreters that reach the system. */
const untrustedLanguage =
  /^(c|internal|pl(python|perl|tcl|java|lua|php|ruby|r|sh|v8|rust)?[23]?u|plpython[23]?|plr|plsh|plphp|javau?|plxslt)$/;

/** Extensions that bring such a language, reach the network or server files, or run jobs of their own. */
const actingExtension =
  /^(pl\w*u|plpython[23]?|plr|plsh|dblink|adminpack|\w+_fdw|http|pg_net|pg_cron|pg_background|pgagent|aws_\w+|azure_\w+|pg_execute\w*|file_\w+|\w+_plpython[23]?u|\w+_plperlu|multicorn)$/;

export function judgeExtension(command: string, name: string): Verdict {
  return actingExtension.test(name.toLowerCase())
    ? forbidden(`${command} ${name} brings code that reaches the system, files or the network of the server.`)
    : write(`${command} ${name} adds or changes objects of the database.`);
}

export function judgeFunction(fields: Fields): Verdict {
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
    : destructive(`${command} puts code into the database, which runs later with other statements.`);
}

const fileOptions: ReadonlySet<string> = new Set(['filename', 'program', 'dirname', 'directory']);

/** Foreign tables: their options may name a file or a program of the server (`file_fdw`), or a catalog of another (`postgres_fdw`). */
export function judgeForeignOptions(command: string, options: readonly Option[]): Verdict {
  const [schema = null, name = ''] = ['schema_name', 'table_name'].map(wanted => {
    const found = options.find(option => option.name.toLowerCase() === wanted);
    return found === undefined ? undefined : (optionText(found.value) ?? '');
  });
  if (isSystemCatalog({ schema, name }) || isKnownSecret(name)) {
    return forbidden(`${command} of ${name} shows a catalog of another server, which may hold passwords.`);
  }
  const reaching = options.find(option => fileOptions.has(option.name.toLowerCase()));
  return reaching === undefined
    ? write(`${command} changes definitions and loses nothing.`)
    : forbidden(`${command} with the option ${reaching.name} reaches files or programs of the database server.`);
}

/** Only growth to unlimited text surely keeps every value, whatever the column's type was. */
function keepsEveryValue(column: Fields): boolean {
  const type = fieldsOf(column.typeName);
  const name = nameParts(type.names).at(-1) ?? '';
  const isPlain = type.typmods === undefined && type.arrayBounds === undefined && column.raw_default === undefined;
  return isPlain && (name === 'text' || name === 'varchar');
}

/** What of a column goes, where the column itself stays. */
const dropped: ReadonlyMap<string, string> = new Map([
  ['AT_DropNotNull', 'NOT NULL from '],
  ['AT_DropIdentity', 'the identity of '],
  ['AT_DropExpression', 'the expression of '],
]);
const harmlessDrops: ReadonlySet<string> = new Set(['AT_DropCluster', 'AT_DropOids', 'AT_DropOf']);
/** Of a table; an index has no rows of its own. */
const movesRows = /^AT_(AttachPartition|DetachPartition|DetachPartitionFinalize|DropInherit)$/;
const keepingCommand =
  /^AT_(Add|Set|Reset|Replace|Validate|Enable|ClusterOn|Attach|AlterConstraint|ColumnDefault|ReplicaIdentity)/;

const viewOptions = /^(security_\w+|check_option)$/i;

/** The account of what a client changed is kept by name too: under another one it would begin anew. */
export function hidesRows(command: string): Verdict {
  return destructive(`${command} takes rows away from where they are looked for.`);
}

/** One part of ALTER TABLE, VIEW, INDEX, SEQUENCE, TYPE, FOREIGN TABLE. */
export function judgeAlterTablePart(command: string, part: Fields): Verdict {
  const subtype = textOf(part.subtype);
  if (subtype === 'AT_GenericOptions' || subtype === 'AT_AlterColumnGenericOptions') {
    return judgeForeignOptions(command, optionsOf(part.def));
  }
  if (subtype === 'AT_AlterColumnType') {
    return keepsEveryValue(fieldsOf(taggedNode(part.def)?.fields))
      ? write(`${command} makes ${textOf(part.name)} text, which keeps every value.`)
      : destructive(`${command} changes the type of ${textOf(part.name)}, which may lose data.`);
  }
  if (movesRows.test(subtype) && command !== 'ALTER INDEX') {
    return hidesRows(`${command} … ${subtype === 'AT_AttachPartition' ? 'ATTACH' : 'DETACH or NO INHERIT'}`);
  }
  if (subtype === 'AT_SetUnLogged') return destructive(`${command} … SET UNLOGGED has a crash empty it.`);
  if (subtype === 'AT_ChangeOwner') return destructive(`${command} … OWNER TO changes who holds all rights.`);
  if (subtype.endsWith('RowSecurity')) {
    return destructive(`${command} changes row security, which decides who sees which rows.`);
  }
  // REPLICA: from now on only where changes are replicated.
  if (subtype.startsWith('AT_Disable') || subtype.startsWith('AT_EnableReplica')) {
    return destructive(`${command} keeps a trigger or rule, which guards or follows changes, from running.`);
  }
  // ALTER TABLE takes a view too.
  if (optionsOf(part.def).some(({ name }) => viewOptions.test(name))) {
    return destructive(`${command} changes by whose rights the view reads, or what may be changed through it.`);
  }
  const { alterEnforceability, is_enforced } = fieldsOf(taggedNode(part.def)?.fields);
  if (subtype === 'AT_AlterConstraint' && alterEnforceability === true && is_enforced !== true) {
    return destructive(`${command} … NOT ENFORCED keeps a constraint from being checked.`);
  }
  if (subtype === 'AT_ColumnDefault' && part.def === undefined) {
    return destructive(`${command} … DROP DEFAULT removes a part of the definition.`);
  }
  if (subtype.startsWith('AT_Drop') && !harmlessDrops.has(subtype)) {
    return destructive(
      `${command} … DROP removes ${dropped.get(subtype) ?? ''}${textOf(part.name) || 'a part'} for good.`,
    );
  }
  return keepingCommand.test(subtype) || harmlessDrops.has(subtype)
    ? write(`${command} changes a definition and loses nothing.`)
    : destructive(`${command} holds a part that isn't known to keep every value.`);
}

/** ALTER DOMAIN gives a letter: T and N drop where nothing is set, X drops a constraint. */
export function judgeAlterDomain(fields: Fields): Verdict {
  const subtype = textOf(fields.subtype);
  const drops = subtype === 'N' || subtype === 'X' || (subtype === 'T' && fields.def === undefined);
  return drops
    ? destructive('ALTER DOMAIN … DROP removes a part of the definition.')
    : write('ALTER DOMAIN changes a definition and loses nothing.');
}
