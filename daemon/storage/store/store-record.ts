/**
 * Writes `store.json`, which tells shells where this home's secrets are (spec §1). Writes only if
 * it changes.
 */

import { readStoreRecord, storeRecordText } from '../../../shared/store-record.ts';
import { replacePrivateFileSync } from '../atomic-file.ts';

export function recordStore(path: string, storeId: string, secrets: 'file' | 'keychain'): void {
  const known = readStoreRecord(path);
  if (known.kind === 'read' && known.record.store === storeId && known.record.secrets === secrets) return;
  replacePrivateFileSync(path, storeRecordText({ version: 1, store: storeId, secrets }));
}
