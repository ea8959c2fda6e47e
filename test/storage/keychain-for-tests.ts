/** The keychain of a private Secret Service; its processes end after the tests. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from '@jest/globals';
import type { KeychainLimits } from '../../daemon/storage/secrets/keychain-process.ts';
import { type Keychain, openKeychain } from '../../daemon/storage/secrets/keychain-process.ts';
import { keychainEnvironment } from '../../shared/keychain-call.ts';
import { needs } from '../needs.ts';
import { missingForSecretService, type SecretService, startSecretService } from '../servers/secret-service.ts';

export interface KeychainUnderTest {
  readonly service: SecretService;
  /** The daemon's own, with more patience for a busy machine. */
  readonly keychain: Keychain;
  open(limits?: Partial<KeychainLimits>): Keychain;
}

export const patient: KeychainLimits = { callSeconds: 30, stuckSeconds: 120, idleSeconds: 30 };

/**
 * A `describe` with a Secret Service of its own, or a visibly skipped one that names the command to
 * install it.
 */
export function describeWithKeychain(name: string, tests: (under: () => KeychainUnderTest) => void): void {
  const missing = missingForSecretService();
  if (missing !== null) {
    needs(missing).describe(name, () => tests(() => fail()));
    return;
  }
  describe(name, () => {
    const opened: Keychain[] = [];
    let under: KeychainUnderTest | null = null;
    beforeAll(async () => {
      const service = await startSecretService();
      const open = (limits: Partial<KeychainLimits> = {}): Keychain => {
        const keychain = openKeychain({
          environment: keychainEnvironment(service.environment),
          limits: { ...patient, ...limits },
        });
        opened.push(keychain);
        return keychain;
      };
      under = { service, keychain: open(), open };
    });
    afterAll(async () => {
      for (const keychain of opened) await keychain.close();
      await under?.service.stop();
    });
    tests(() => under ?? fail());
  });
}

export const newStoreId = (): string => randomUUID();

function fail(): never {
  throw new Error('there is no Secret Service');
}
