/** The rows of the table: each looks at one server on one engine and says what it saw. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Entry } from '../stdio/place.ts';
import { openSession } from '../stdio/session.ts';
import { type Attack, attacks } from './attacks.ts';
import { begins, ends, sleep } from './long-query.ts';
import type { Shop } from './shop.ts';
import { type Subject, withSession } from './subject.ts';

export interface Row {
  readonly title: string;
  /** @param entry with which the server was told to read only. */
  look(subject: Subject, shop: Shop, entry: Entry): Promise<string>;
}

const marker = 'marked_by_the_bench';

export const rows: readonly Row[] = [
  {
    title: 'Where the password is',
    look: async (_, { place: { folder, password } }, entry) => {
      const places = [
        entry.args.some(word => word.includes(password))
          ? "the client's file, as an argument that every account sees"
          : '',
        Object.values(entry.env).some(value => value.includes(password)) ? "the client's file, as a variable" : '',
        entry.args.some(word => word.startsWith(folder) && readFileSync(word, 'utf8').includes(password))
          ? 'a file of its own, in plain text'
          : '',
      ];
      return places.filter(place => place !== '').join('; ') || "in none of the client's files";
    },
  },
  {
    title: 'Told to read only: attacks that changed something nevertheless',
    look: async (subject, shop, entry) => {
      const through: string[] = [];
      const all = attacks[shop.place.engine];
      for (const attack of all) if (!(await isHeld(attack, subject, shop, entry))) through.push(attack.name);
      return through.length === 0
        ? `none of ${all.length}`
        : `${through.length} of ${all.length}: ${through.join(', ')}`;
    },
  },
  {
    title: 'Writes allowed: `DELETE` without `WHERE`',
    look: async (subject, shop) => {
      const entry = await subject.entry(shop.place, 'writes');
      if (entry === null) return 'never writes';
      await shop.reset();
      return withSession(entry, async session => {
        const { isError } = await subject.run(session, 'delete from customers');
        const left = await shop.customers();
        if (left === 0) return 'ran at once';
        return isError ? 'refused, and waits for a person' : `${left} left`;
      });
    },
  },
  {
    title: 'A program of the same user gives the agent writes, and asks nobody',
    look: async (subject, shop) => {
      const entry = await subject.allowWrites(shop.place);
      if (entry === null) return 'no: never writes';
      await shop.reset();
      await withSession(entry, session => subject.run(session, "delete from customers where name = 'Ada'"));
      return (await shop.customers()) < 3 ? 'yes' : 'no: refused without the passphrase';
    },
  },
  {
    title: 'A query of 25 s whose client cancels it',
    look: async (subject, shop, entry) =>
      withSession(entry, async session => {
        const cancelling = new AbortController();
        const asked = subject.run(session, sleep(shop), cancelling.signal);
        await begins(shop);
        cancelling.abort();
        const seen = await ends(shop);
        await asked;
        return seen;
      }),
  },
  {
    title: 'A query of 25 s whose client leaves',
    look: async (subject, shop, entry) => {
      const session = await openSession(entry);
      const asked = subject.run(session, sleep(shop));
      await begins(shop);
      await session.close();
      const seen = await ends(shop);
      await asked;
      return seen;
    },
  },
  {
    title: 'The integer 9007199254740993',
    look: async (subject, _, entry) =>
      withSession(entry, async session => {
        const { text } = await subject.run(session, 'select max(id) as id from customers');
        const came = /9007199254\d+/.exec(text)?.[0] ?? 'not there';
        return came === '9007199254740993' ? 'exact' : `became ${came}`;
      }),
  },
  {
    title: 'Two columns of one name',
    look: async (subject, _, entry) =>
      withSession(entry, async session => {
        const { text } = await subject.run(session, "select 'left' as name, 'right' as name");
        const answer = text.replace(/select .* as name/, '');
        return answer.includes('left') && answer.includes('right') ? 'both' : 'one is lost';
      }),
  },
  {
    title: 'What is kept of a statement that ran',
    look: async (subject, shop, entry) => {
      const said = await withSession(entry, async session => {
        await subject.run(session, `select 1 as ${marker}`);
        await pause(500);
        return session.said();
      });
      const kept = await subject.kept(shop.place, marker);
      if (kept !== null) return kept;
      if (filesWith(marker, shop.place.folder).length > 0) return 'a file';
      return said.includes(marker) ? "standard error, which is the client's to keep" : 'nothing';
    },
  },
  {
    title: 'Tokens of its list of tools and instructions',
    look: async (_, __, entry) => withSession(entry, async ({ fixedTokens }) => fixedTokens.toLocaleString('en')),
  },
];

async function isHeld(attack: Attack, subject: Subject, shop: Shop, entry: Entry): Promise<boolean> {
  await shop.reset();
  const application = await shop.application();
  try {
    await withSession(entry, async session => {
      // One that answers nothing holds nothing.
      const { isError, text } = await subject.run(session, 'select 1');
      if (isError) throw new Error(`${subject.name} doesn't answer: ${text}`);
      for (const sql of attack.statements(application.id)) await subject.run(session, sql);
    });
    return (await shop.isUntouched()) && (await application.isAlive());
  } finally {
    await application.close();
  }
}

function filesWith(text: string, folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(file => readFileSync(file, 'latin1').includes(text));
}
