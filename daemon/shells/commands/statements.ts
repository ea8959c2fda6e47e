/**
 * `statements.classify`: classifies a statement on a connection, whose catalog is asked about
 * called functions. `statements.split`: the statements of a file. Neither runs anything.
 */

import * as z from 'zod';
import { say } from '../../guard/reason.ts';
import { writtenName } from '../../guard/written-name.ts';
import { command, done, looks, refused } from '../command.ts';
import { fileStatements, statementVerdict } from '../messages/statements.ts';
import { unknownConnection } from './connection-view.ts';
import { problemOf } from './connections.ts';
import { namedConnection } from './shapes.ts';

const catalogSeconds = 15;

export const statementsClassify = command('statements.classify', {
  shape: namedConnection.extend({ sql: z.string('a statement is expected') }),
  result: statementVerdict,
  privilegeIncrease: 'never',
  // It reveals nothing new, and its refusal may quote a server's words about the statement.
  records: 'itself',
  run: async ({ connection: asked, sql }, context) => {
    const { ports, signal } = context;
    const connection = ports.connections.find(asked);
    if (connection === null) return unknownConnection(asked);
    const where = {
      principal: null,
      client: 'classify',
      database: null,
      schema: null,
      timeoutSeconds: catalogSeconds,
      signal,
    };
    const database = ports.databases.of(connection);
    const found = await database.follow(ports.classifier, where, sql);
    if (found.kind === 'failed') {
      const sentence = `The statement was not classified. ${problemOf(found.failure, connection)}`;
      return refused('database_failed', sentence, { connection: connection.name });
    }
    const { class: statementClass, reason, tables, calls } = found.classification;
    return done({ class: statementClass, reason, tables: tables.map(writtenName), calls: calls.map(writtenName) });
  },
});

/** Longer files are no plan that a person reads. */
const longestFile = 1024 * 1024;

const splits = {
  postgres: 'postgresStatements',
  mysql: 'mysqlStatements',
  mariadb: 'mysqlStatements',
  sqlite: 'sqliteStatements',
} as const;

export const statementsSplit = command('statements.split', {
  shape: namedConnection.extend({
    text: z.string('a text is expected').max(longestFile, 'it is longer than 1 MB'),
  }),
  result: fileStatements,
  ...looks,
  run: async ({ connection: asked, text }, { ports, signal }) => {
    const connection = ports.connections.find(asked);
    if (connection === null) return unknownConnection(asked);
    const where = { principal: null, signal, timeoutSeconds: catalogSeconds };
    const split = await ports.classifier.ask(where, splits[connection.engine], text);
    if (split.kind !== 'done')
      return refused('unreadable_text', 'The file was not read: it takes too long to split into statements.');
    if (split.value.kind === 'statements') return done({ statements: split.value.statements });
    return refused(
      'unreadable_text',
      say(
        'From line %@ on, the file is no whole statement of %@; correct it there.',
        String(split.value.line),
        connection.engine,
      ),
    );
  },
});
