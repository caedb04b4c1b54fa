import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { readable } from '#adapters/invalid-row.ts';
import { digest } from '#adapters/session-ids.ts';
import { defaultJournalDays } from '#adapters/stored-change.ts';
import { parseStoredGrant, replacedGrant, storedGrantOf } from '#adapters/stored-grant.ts';
import { compareGrants, type Grant, grantText, isSameGrant, maxGrants } from '#domain/identity/grants.ts';
import type { StoredGrants } from '#domain/ports/grants.ts';
import { changeWriter } from './sqlite-change-journal.ts';
import { inCommit } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

const table = `
	CREATE TABLE IF NOT EXISTS identity_grant (
		provider TEXT NOT NULL, key TEXT NOT NULL, "grant" TEXT NOT NULL, row_version INTEGER NOT NULL, PRIMARY KEY (provider, key)
	) STRICT, WITHOUT ROWID
`;

const storedSchema = v.object({ grant: v.string(), rowVersion: v.number() });
const listedSchema = v.object({ provider: v.string(), key: v.string(), grant: v.string() });

/** Parses rows of grants. One that cannot be read lets nobody in. */
const grantsOf = (rows: readonly unknown[]): readonly Grant[] =>
	readable(
		null,
		v.parse(v.array(listedSchema), rows),
		({ grant }) => parseStoredGrant(grant),
		({ provider, key }) => `grant#${provider}#${key}`,
	);

/** `StoredGrants` in SQLite, for one machine. `days`: how many days entries stay in the journal of changes; 0: for ever. */
export function createSqliteGrants(database: DatabaseSync, days: number = defaultJournalDays.changes): StoredGrants {
	database.exec(table);
	const journal = changeWriter(database, days);
	const find = database.prepare(`
		SELECT "grant", row_version AS rowVersion FROM identity_grant WHERE provider = ? AND key = ?`);
	const list = database.prepare('SELECT provider, key, "grant" FROM identity_grant WHERE provider = ?');
	const all = database.prepare('SELECT provider, key, "grant" FROM identity_grant');
	const put = database.prepare('INSERT OR REPLACE INTO identity_grant VALUES (:provider, :key, :grant, :rowVersion)');
	const remove = database.prepare('DELETE FROM identity_grant WHERE provider = ? AND key = ?');
	const rowOf = (provider: string, key: string) => v.parse(v.optional(storedSchema), find.get(provider, key));
	const storedOf = (asked: Omit<Grant, 'owner' | 'role'>, key: string) => {
		const row = rowOf(asked.provider, key);
		return row === undefined ? null : { grant: replacedGrant(row.grant, asked), rowVersion: row.rowVersion };
	};
	return withFileFaults({
		list: async (provider) => grantsOf(list.all(provider)).toSorted(compareGrants),
		all: async () => grantsOf(all.all()),
		find: async ({ provider, key }) => {
			const row = rowOf(provider, key);
			const [grant] = grantsOf(row === undefined ? [] : [{ provider, key, ...row }]);
			return row === undefined || grant === undefined ? null : { grant, rowVersion: row.rowVersion };
		},
		add: async (grant, changeFrom) =>
			inCommit(database, () => {
				const { provider } = grant;
				const key = digest(grantText(grant));
				const stored = storedOf(grant, key);
				if (stored !== null && isSameGrant(stored.grant, grant)) return 'unchanged';
				if (stored === null && list.all(provider).length >= maxGrants) return 'full';
				const change = changeFrom(stored);
				put.run({ provider, key, grant: storedGrantOf(grant), rowVersion: change.entry.rowVersion });
				journal.add(grant.schema, [change]);
				return 'added';
			}),
		remove: async (grant, changeFrom) =>
			inCommit(database, () => {
				const key = digest(grantText(grant));
				const stored = storedOf(grant, key);
				if (stored === null) return false;
				remove.run(grant.provider, key);
				journal.add(grant.schema, [changeFrom(stored)]);
				return true;
			}),
	});
}
