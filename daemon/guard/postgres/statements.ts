/**
 * The verdict on each kind of statement, by PostgreSQL's name of its node. What runs inside it (a
 * query, a function call) is classified when the walk meets it (walk.ts). A kind that isn't listed
 * is forbidden.
 */

import { triedReason } from '../tried-reason.ts';
import { classifyAlterEnum, classifyAlterTablePart, classifyCreateIndex } from './alterations.ts';
import { askingReason, hidesRows, mayRestrict } from './asking-alterations.ts';
import { relationName } from './changing-nodes.ts';
import { classifyExtension, classifyForeignOptions, classifyFunction } from './definitions.ts';
import { isSecretSetting } from './secret-settings.ts';
import { isSystemCatalog } from './system-catalogs.ts';
import { type Fields, fieldsOf, listOf, optionsOf, taggedNode, textOf } from './tree.ts';
import {
  allThatAsk,
  destructive,
  forbidden,
  joinReasons,
  outweighs,
  read,
  say,
  sessionBound,
  type Verdict,
  write,
} from './verdict.ts';

type Classify = (fields: Fields) => Verdict;

/** The kinds that the grammar calls by another word than SQL. */
const kindsInSql: ReadonlyMap<string, string> = new Map([
  ['MATVIEW', 'MATERIALIZED VIEW'],
  ['TSCONFIGURATION', 'TEXT SEARCH CONFIGURATION'],
  ['TSDICTIONARY', 'TEXT SEARCH DICTIONARY'],
  ['TSPARSER', 'TEXT SEARCH PARSER'],
  ['TSTEMPLATE', 'TEXT SEARCH TEMPLATE'],
  ['TABCONSTRAINT', 'CONSTRAINT'],
  ['DOMCONSTRAINT', 'CONSTRAINT'],
  ['FDW', 'FOREIGN DATA WRAPPER'],
  ['FOREIGN_SERVER', 'SERVER'],
  ['LARGEOBJECT', 'LARGE OBJECT'],
  ['OPCLASS', 'OPERATOR CLASS'],
  ['OPFAMILY', 'OPERATOR FAMILY'],
  ['STATISTIC_EXT', 'STATISTICS'],
]);

/** The kind of an object as SQL writes it: `FOREIGN TABLE` for `OBJECT_FOREIGN_TABLE`. */
function objectKind(type: unknown): string {
  const kind = textOf(type).replace('OBJECT_', '');
  return kindsInSql.get(kind) ?? kind.replaceAll('_', ' ');
}

const defines = (command: string) => () => write(triedReason(command));
const altersSearch = (command: string) => () => destructive(say('%@ changes what searches find.', command));
const maintains = (command: string) => () =>
  write(say('%@ is maintenance: it works on storage or statistics and takes locks.', command));
const drops = (command: string) => () => destructive(say('%@ removes objects and what they hold.', command));
const grants = (command: string) => () => destructive(say('%@ changes who may do what.', command));
const bringsCode = (command: string) => () =>
  destructive(say('%@ puts code into the database or changes it, which runs later with other statements.', command));
const locksOut = (command: string) => () => destructive(say('%@ changes who may see or reach what.', command));
const bindsSession = (command: string) => () =>
  sessionBound(
    say(
      '%@ controls the transaction or the session, which later statements would share; send queries and changes without it.',
      command,
    ),
  );
const reachesNetwork = (command: string) => () =>
  forbidden(`${command} makes the server reach over the network, which no client may set up here.`);
const loadsCode = (command: string) => () =>
  forbidden(`${command} puts code into the server, which no client may do here.`);
const controlsServer = (command: string) => () =>
  forbidden(`${command} controls the server, which no client may do here.`);

function heaviest(verdicts: readonly Verdict[], otherwise: Verdict): Verdict {
  return verdicts.reduce((one, other) => (outweighs(other.class, one.class) ? other : one), verdicts[0] ?? otherwise);
}

function classifyAlterTable(fields: Fields): Verdict {
  const command = `ALTER ${objectKind(fields.objtype)}`;
  const table = relationName(fields.relation);
  const parts = listOf(fields.cmds).map(part => fieldsOf(taggedNode(part)?.fields));
  const verdicts = parts.map(part => classifyAlterTablePart(command, part, table));
  const found = heaviest(verdicts, defines(command)());
  if (found.class !== 'destructive' && (found.class !== 'write' || parts.length < 2)) return found;
  // The reason names each part by its text. A destructive part keeps the others from being tried,
  // and a trial of several would name only those that ask.
  const tried = parts.filter((_, at) => verdicts[at]?.class === 'write');
  const sorted = tried.sort((one, other) => Number(mayRestrict(other)) - Number(mayRestrict(one)));
  const told = sorted.map(part => destructive(askingReason(command, part, table)));
  const each = allThatAsk([...verdicts, ...told]);
  return { ...found, reason: found.class === 'write' ? joinReasons(found.reason, each) : each };
}

/** Kinds whose renaming hides rows. INDEX is one of them: ALTER INDEX renames a table, too. */
const holdsRows = /^(TABLE|FOREIGN TABLE|INDEX|SCHEMA)$/;

function classifyRename(fields: Fields): Verdict {
  const kind = objectKind(fields.renameType);
  const command = `ALTER ${kind} … RENAME`;
  if (holdsRows.test(kind)) return destructive(hidesRows(command));
  return kind === 'COLUMN' || kind === 'ATTRIBUTE'
    ? destructive(say('%@ changes which values statements of others find under a name.', command))
    : destructive(say('%@ changes what statements of others find, run or are held to under a name.', command));
}

function classifyAlterDatabase(fields: Fields): Verdict {
  const isMove = optionsOf(fields.options).every(option => option.name === 'tablespace');
  return (isMove ? defines : locksOut)('ALTER DATABASE')();
}

/** Kinds without code of their own: they are put together from what exists. */
const plainKinds = /^(COLLATION|TEXT SEARCH (CONFIGURATION|DICTIONARY))$/;

/** A type without a definition brings no code: it is a name to be filled in later. */
function classifyDefine(fields: Fields): Verdict {
  const kind = objectKind(fields.kind);
  const isPlain = plainKinds.test(kind) || (kind === 'TYPE' && listOf(fields.definition).length === 0);
  return (isPlain ? defines : bringsCode)(`CREATE ${kind}`)();
}

function classifyCreateRange(fields: Fields): Verdict {
  const hooks = optionsOf(fields.params).some(({ name }) => name === 'canonical' || name === 'subtype_diff');
  return (hooks ? bringsCode : defines)('CREATE TYPE')();
}

function classifyImport(fields: Fields): Verdict {
  return isSystemCatalog({ schema: textOf(fields.remote_schema), name: '' })
    ? forbidden(`IMPORT FOREIGN SCHEMA of ${textOf(fields.remote_schema)} shows the catalogs of another server.`)
    : classifyForeignOptions('IMPORT FOREIGN SCHEMA', optionsOf(fields.options));
}

function classifyShow(fields: Fields): Verdict {
  return isSecretSetting(textOf(fields.name))
    ? forbidden(`${textOf(fields.name)} may hold a password, which no client may see.`)
    : read('SHOW only shows a setting.');
}

function publishes(command: string): Verdict {
  return destructive(
    say('%@ changes what is replicated; UPDATE and DELETE fail on a published table without a key.', command),
  );
}

const classifiers: ReadonlyMap<string, Classify> = new Map<string, Classify>([
  ['SelectStmt', () => read('A query that changes nothing.')],
  ['ExplainStmt', () => read('EXPLAIN has the class of what it runs.')],
  // These two occur only inside a routine or ALTER TABLE.
  ['ReturnStmt', () => read('RETURN gives a value.')],
  ['ReplicaIdentityStmt', () => read('A part of ALTER TABLE, which is judged there.')],
  ['VariableShowStmt', classifyShow],

  ['CreateTableAsStmt', () => write(say('It makes a table or view and fills it.'))],
  ['CallStmt', () => write(say('CALL runs a procedure, which may write and commit.'))],
  ['LockStmt', () => write(say('LOCK makes other sessions wait.'))],
  ['NotifyStmt', () => write(say('NOTIFY sends a notification to other sessions.'))],

  ['VacuumStmt', fields => maintains(fields.is_vacuumcmd === true ? 'VACUUM' : 'ANALYZE')()],
  ['ReindexStmt', maintains('REINDEX')],
  ['ClusterStmt', maintains('CLUSTER')],
  ['RepackStmt', maintains('REPACK')],
  [
    'RefreshMatViewStmt',
    fields =>
      fields.skipData === true
        ? destructive(say('REFRESH MATERIALIZED VIEW … WITH NO DATA empties it.'))
        : write(say('REFRESH MATERIALIZED VIEW runs its query and replaces what it holds.')),
  ],

  ['CreateStmt', defines('CREATE TABLE')],
  ['CreateSchemaStmt', defines('CREATE SCHEMA')],
  ['ViewStmt', defines('CREATE VIEW')],
  ['IndexStmt', classifyCreateIndex],
  ['CreateSeqStmt', defines('CREATE SEQUENCE')],
  ['AlterSeqStmt', defines('ALTER SEQUENCE')],
  ['CreateStatsStmt', defines('CREATE STATISTICS')],
  ['AlterStatsStmt', defines('ALTER STATISTICS')],
  ['CreateTrigStmt', bringsCode('CREATE TRIGGER')],
  ['CreateEventTrigStmt', bringsCode('CREATE EVENT TRIGGER')],
  ['AlterEventTrigStmt', bringsCode('ALTER EVENT TRIGGER')],
  ['RuleStmt', bringsCode('CREATE RULE')],
  ['CreatePolicyStmt', locksOut('CREATE POLICY')],
  ['AlterPolicyStmt', locksOut('ALTER POLICY')],
  ['CreateDomainStmt', defines('CREATE DOMAIN')],
  [
    'AlterDomainStmt',
    () => destructive(say('ALTER DOMAIN changes the default or the constraints of every column of that domain.')),
  ],
  ['CreateEnumStmt', defines('CREATE TYPE')],
  ['AlterEnumStmt', classifyAlterEnum],
  ['CreateRangeStmt', classifyCreateRange],
  ['CompositeTypeStmt', defines('CREATE TYPE')],
  ['AlterTypeStmt', bringsCode('ALTER TYPE')],
  ['DefineStmt', classifyDefine],
  ['AlterCollationStmt', defines('ALTER COLLATION')],
  ['CreateCastStmt', bringsCode('CREATE CAST')],
  ['CreateConversionStmt', bringsCode('CREATE CONVERSION')],
  ['CreateTransformStmt', bringsCode('CREATE TRANSFORM')],
  ['CreateOpClassStmt', bringsCode('CREATE OPERATOR CLASS')],
  ['CreateOpFamilyStmt', defines('CREATE OPERATOR FAMILY')],
  ['AlterOpFamilyStmt', fields => (fields.isDrop === true ? drops : bringsCode)('ALTER OPERATOR FAMILY')()],
  ['AlterOperatorStmt', bringsCode('ALTER OPERATOR')],
  ['AlterTSDictionaryStmt', altersSearch('ALTER TEXT SEARCH DICTIONARY')],
  [
    'AlterTSConfigurationStmt',
    fields =>
      fields.kind === 'ALTER_TSCONFIG_DROP_MAPPING'
        ? drops('ALTER TEXT SEARCH CONFIGURATION')()
        : altersSearch('ALTER TEXT SEARCH CONFIGURATION')(),
  ],
  ['CreateFunctionStmt', classifyFunction],
  ['AlterFunctionStmt', bringsCode('ALTER FUNCTION')],
  ['AlterTableStmt', classifyAlterTable],
  ['AlterTableMoveAllStmt', defines('ALTER … ALL IN TABLESPACE')],
  ['AlterTableSpaceOptionsStmt', defines('ALTER TABLESPACE')],
  ['AlterObjectSchemaStmt', fields => locksOut(`ALTER ${objectKind(fields.objectType)} … SET SCHEMA`)()],
  [
    'AlterObjectDependsStmt',
    ({ objectType }) =>
      destructive(say('ALTER %@ … DEPENDS changes what is dropped along with an extension.', objectKind(objectType))),
  ],
  ['RenameStmt', classifyRename],
  ['CommentStmt', defines('COMMENT')],
  ['CreatePublicationStmt', () => publishes('CREATE PUBLICATION')],
  ['AlterPublicationStmt', () => publishes('ALTER PUBLICATION')],
  ['CreatedbStmt', defines('CREATE DATABASE')],
  ['AlterDatabaseStmt', classifyAlterDatabase],
  ['AlterDatabaseRefreshCollStmt', defines('ALTER DATABASE')],
  ['CreateForeignTableStmt', fields => classifyForeignOptions('CREATE FOREIGN TABLE', optionsOf(fields.options))],
  ['ImportForeignSchemaStmt', classifyImport],
  ['CreateExtensionStmt', fields => classifyExtension('CREATE EXTENSION', textOf(fields.extname))],
  ['AlterExtensionStmt', fields => classifyExtension('ALTER EXTENSION', textOf(fields.extname))],
  // What belongs to an extension counts as trusted code.
  ['AlterExtensionContentsStmt', fields => (fields.action === -1 ? drops : bringsCode)('ALTER EXTENSION')()],

  ['DropStmt', fields => drops(`DROP ${objectKind(fields.removeType)}`)()],
  ['DropdbStmt', drops('DROP DATABASE')],
  ['DropTableSpaceStmt', drops('DROP TABLESPACE')],
  ['DropUserMappingStmt', drops('DROP USER MAPPING')],
  ['DropOwnedStmt', drops('DROP OWNED')],
  ['TruncateStmt', () => destructive(say('TRUNCATE removes every row.'))],

  ['CreateRoleStmt', grants('CREATE ROLE')],
  ['AlterRoleStmt', grants('ALTER ROLE')],
  ['DropRoleStmt', grants('DROP ROLE')],
  ['GrantStmt', fields => grants(fields.is_grant === true ? 'GRANT' : 'REVOKE')()],
  ['GrantRoleStmt', fields => grants(fields.is_grant === true ? 'GRANT' : 'REVOKE')()],
  ['AlterDefaultPrivilegesStmt', grants('ALTER DEFAULT PRIVILEGES')],
  ['AlterOwnerStmt', grants('ALTER … OWNER TO')],
  ['ReassignOwnedStmt', grants('REASSIGN OWNED')],
  ['SecLabelStmt', grants('SECURITY LABEL')],

  ['TransactionStmt', fields => bindsSession(textOf(fields.kind).replace('TRANS_STMT_', '').replaceAll('_', ' '))()],
  ['VariableSetStmt', bindsSession('SET or RESET')],
  ['ConstraintsSetStmt', bindsSession('SET CONSTRAINTS')],
  ['AlterDatabaseSetStmt', bindsSession('ALTER DATABASE … SET')],
  ['AlterRoleSetStmt', bindsSession('ALTER ROLE … SET')],
  ['DiscardStmt', bindsSession('DISCARD')],
  ['PrepareStmt', bindsSession('PREPARE')],
  ['ExecuteStmt', bindsSession('EXECUTE')],
  ['DeallocateStmt', bindsSession('DEALLOCATE')],
  ['DeclareCursorStmt', bindsSession('DECLARE')],
  ['FetchStmt', bindsSession('FETCH or MOVE')],
  ['ClosePortalStmt', bindsSession('CLOSE')],
  ['ListenStmt', bindsSession('LISTEN')],
  ['UnlistenStmt', bindsSession('UNLISTEN')],

  [
    'DoStmt',
    () => sessionBound(say("DO runs a block of code that can't be checked; send its statements one at a time.")),
  ],
  [
    'CopyStmt',
    fields =>
      forbidden(
        `COPY moves data by files, programs or the wire; use ${fields.is_from === true ? 'INSERT' : 'SELECT, or export_data for a file'}.`,
      ),
  ],
  ['CreateTableSpaceStmt', () => forbidden('CREATE TABLESPACE reaches a folder of the database server.')],

  ['CreateSubscriptionStmt', reachesNetwork('CREATE SUBSCRIPTION')],
  ['AlterSubscriptionStmt', reachesNetwork('ALTER SUBSCRIPTION')],
  ['DropSubscriptionStmt', reachesNetwork('DROP SUBSCRIPTION')],
  ['CreateForeignServerStmt', reachesNetwork('CREATE SERVER')],
  ['AlterForeignServerStmt', reachesNetwork('ALTER SERVER')],
  ['CreateUserMappingStmt', reachesNetwork('CREATE USER MAPPING')],
  ['AlterUserMappingStmt', reachesNetwork('ALTER USER MAPPING')],
  ['CreateFdwStmt', reachesNetwork('CREATE FOREIGN DATA WRAPPER')],
  ['AlterFdwStmt', reachesNetwork('ALTER FOREIGN DATA WRAPPER')],

  ['LoadStmt', loadsCode('LOAD')],
  ['CreatePLangStmt', loadsCode('CREATE LANGUAGE')],
  ['CreateAmStmt', loadsCode('CREATE ACCESS METHOD')],
  ['AlterSystemStmt', controlsServer('ALTER SYSTEM')],
  ['CheckPointStmt', controlsServer('CHECKPOINT')],
]);

/** The kinds that have a verdict here. */
export const classifiedKinds: readonly string[] = [...classifiers.keys()];

/**
 * The verdict on one statement, but for INSERT, UPDATE, DELETE and MERGE (`changing-nodes.ts`).
 * @param tag PostgreSQL's name of its node, `SelectStmt`.
 */
export function classifyKind(tag: string, fields: Fields): Verdict {
  return classifiers.get(tag)?.(fields) ?? forbidden("This kind of statement isn't known, so it is never run.");
}
