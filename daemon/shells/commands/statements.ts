/**
 * `statements.classify`: classifies a statement on a connection, whose catalog is asked about
 * called functions; runs nothing.
 */

import * as z from 'zod';
import { writtenName } from '../../guard/written-name.ts';
import { command, done, refused } from '../command.ts';
import { statementVerdict } from '../messages/statements.ts';
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
