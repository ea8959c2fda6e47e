/** The migrations in order. Their number is the store's version, kept in `user_version`. */

import type { Knex } from 'knex';
import * as connections from './0001-connections.ts';
import * as activityAndHistory from './0002-activity-and-history.ts';
import * as settingsAndTokenUses from './0003-settings-and-token-uses.ts';
import * as tokens from './0004-tokens.ts';
import * as activityTexts from './0005-activity-texts.ts';
import * as activityInFewerBytes from './0006-activity-in-fewer-bytes.ts';
import * as removedConnections from './0007-removed-connections.ts';
import * as changedRows from './0008-changed-rows.ts';

interface Migration {
  readonly name: string;
  up(knex: Knex): Promise<void>;
}

export const migrations: readonly Migration[] = [
  connections,
  activityAndHistory,
  settingsAndTokenUses,
  tokens,
  activityTexts,
  activityInFewerBytes,
  removedConnections,
  changedRows,
];
