/**
 * The owner passphrase (spec §11): kept as salt and scrypt hash, checked in constant time, one check at a time, at most three wrong
 * ones before a wait that outlives a restart. Says nothing of what it is needed for.
 */

import { scrypt, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { parsedJson } from '../../../shared/json.ts';
import { oneAtATime } from '../../one-at-a-time.ts';

/** What guessing it costs, on this daemon and off it. */
const passphraseLimits = {
  leastCharacters: 8,
  mostCharacters: 256,
  /** Wrong ones within the wait's time before it begins. */
  tries: 3,
  waitSeconds: 60,
} as const;

/**
 * For a new passphrase; a kept one is checked by its own. As strong as N = 2^17, p = 1 (OWASP, Password Storage), in half the
 * memory: 64 MiB, some 0.3 s.
 */
const newScryptCost: ScryptCost = { N: 65_536, r: 8, p: 2 };

interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export interface PassphraseStore {
  /** What `save` was given; null where there is none. */
  load(): Promise<string | null>;
  save(record: string): Promise<void>;
  delete(): Promise<void>;
  loadTries(): Promise<PassphraseTries>;
  saveTries(tries: PassphraseTries): Promise<void>;
}

export interface PassphraseTries {
  readonly wrong: number;
  /** Milliseconds since 1970: the last wrong one. */
  readonly lastAt: number;
}

type PassphraseCheck =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  /** Not looked at. */
  | { readonly kind: 'wait'; readonly seconds: number };

export interface OwnerPassphrase {
  isSet(): boolean;
  check(typed: string): Promise<PassphraseCheck>;
  /** @returns null, or a sentence: why it is none. */
  set(typed: string): Promise<string | null>;
  clear(): Promise<void>;
}

interface PassphrasePorts {
  readonly store: PassphraseStore;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly randomBytes: (count: number) => Buffer;
  /** For new ones. Weaker only in tests. */
  readonly cost?: ScryptCost;
}

const record = z.object({
  version: z.literal(1),
  cost: z.object({ N: z.int().max(1_048_576), r: z.int().max(32), p: z.int().max(16) }),
  salt: z.base64url(),
  hash: z.base64url(),
});
type PassphraseRecord = z.infer<typeof record>;

const hashBytes = 32;
const saltBytes = 16;

/** @param reportDamage told where the kept record can't be read: there is a passphrase then, which nobody knows. */
export async function loadOwnerPassphrase(
  ports: PassphrasePorts,
  reportDamage: () => void = () => {},
): Promise<OwnerPassphrase> {
  const { store, now } = ports;
  let kept = recordIn(await store.load());
  if (kept === nobodys) {
    kept = { ...nobodys, cost: ports.cost ?? newScryptCost };
    reportDamage();
  }
  let tries = await store.loadTries();
  const inTurn = oneAtATime();

  function waitSeconds(): number {
    if (tries.wrong < passphraseLimits.tries) return 0;
    return Math.ceil(passphraseLimits.waitSeconds - sinceLast());
  }

  function sinceLast(): number {
    // A clock that was set back must not make anybody wait for days: the wait begins anew.
    if (now() < tries.lastAt) tries = { ...tries, lastAt: now() };
    return (now() - tries.lastAt) / 1000;
  }

  async function count(next: PassphraseTries): Promise<void> {
    tries = next;
    await store.saveTries(next);
  }

  async function check(typed: string): Promise<PassphraseCheck> {
    const seconds = waitSeconds();
    if (seconds > 0) return { kind: 'wait', seconds };
    if (kept === null) return { kind: 'wrong', triesLeft: 0 };
    const wrong = sinceLast() < passphraseLimits.waitSeconds ? tries.wrong + 1 : 1;
    // Counted before it is looked at: a daemon killed in between has not given a try away.
    await count({ wrong, lastAt: now() });
    const hash = Buffer.from(kept.hash, 'base64url');
    if (!timingSafeEqual(await derived(typed, kept), hash)) {
      return { kind: 'wrong', triesLeft: Math.max(0, passphraseLimits.tries - wrong) };
    }
    await count({ wrong: 0, lastAt: 0 });
    return { kind: 'right' };
  }

  async function set(typed: string): Promise<string | null> {
    const characters = [...typed].length;
    const { leastCharacters: least, mostCharacters: most } = passphraseLimits;
    if (characters < least || characters > most) return `A passphrase has ${least} to ${most} characters.`;
    if (/[\p{Cc}\p{Cs}]/u.test(typed)) return 'A passphrase has no control characters.';
    const salt = ports.randomBytes(saltBytes).toString('base64url');
    const blank: PassphraseRecord = { version: 1, cost: ports.cost ?? newScryptCost, salt, hash: '' };
    const next = { ...blank, hash: (await derived(typed, blank)).toString('base64url') };
    // Before it is kept, or its keeping could fail when it has happened.
    await count({ wrong: 0, lastAt: 0 });
    await store.save(JSON.stringify(next));
    kept = next;
    return null;
  }

  return {
    isSet: () => kept !== null,
    check: typed => inTurn(() => check(typed)),
    set: typed => inTurn(() => set(typed)),
    clear: () =>
      inTurn(async () => {
        await store.delete();
        kept = null;
      }),
  };
}

/** None must not be what is left of one: no passphrase that anybody types has this hash. */
const nobodys: PassphraseRecord = {
  ...{ version: 1, cost: newScryptCost, salt: '', hash: Buffer.alloc(hashBytes).toString('base64url') },
};

function recordIn(text: string | null): PassphraseRecord | null {
  if (text === null) return null;
  const checked = record.safeParse(parsedJson(text));
  if (checked.success && Buffer.from(checked.data.hash, 'base64url').length === hashBytes) return checked.data;
  return nobodys;
}

/** Composed first: the same letters typed on two systems are different bytes. */
function derived(typed: string, { cost, salt }: PassphraseRecord): Promise<Buffer> {
  const { N, r, p } = cost;
  return new Promise((resolve, reject) => {
    scrypt(
      typed.normalize('NFC'),
      Buffer.from(salt, 'base64url'),
      hashBytes,
      { N, r, p, maxmem: 256 * N * r },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    );
  });
}
