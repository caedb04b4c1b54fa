import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { tellInvalidRow } from '#adapters/invalid-row.ts';
import { maxWrongCodes } from '#domain/identity/second-factor.ts';
import type { Account, Accounts } from '#domain/ports/accounts.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { addMissingColumns } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

/** `folded_email`: the e-mail in the form by which accounts are compared. `groups`: a list in JSON. */
const table = `
	CREATE TABLE IF NOT EXISTS account (
		folded_email TEXT PRIMARY KEY, email TEXT NOT NULL, name TEXT NOT NULL, groups TEXT NOT NULL, password TEXT,
		link_hash TEXT UNIQUE, link_until INTEGER, disabled INTEGER NOT NULL DEFAULT 0
	) STRICT, WITHOUT ROWID
`;

const columns =
	'email, name, groups, password, link_until AS linkUntil, disabled, secret, recovery, changed_at AS changedAt, password_at AS passwordAt';

const texts = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

const rowSchema = v.pipe(
	v.object({
		email: v.string(),
		name: v.string(),
		groups: v.fallback(v.nullable(texts), null),
		password: v.nullable(v.string()),
		linkUntil: v.nullable(v.number()),
		disabled: v.number(),
		secret: v.nullable(v.string()),
		recovery: v.fallback(v.nullable(texts), null),
		changedAt: v.number(),
		passwordAt: v.nullable(v.number()),
	}),
	v.transform(({ groups, password, disabled, secret, recovery, ...row }): Account => {
		if (groups === null) tellInvalidRow(null, 'account');
		return {
			...row,
			groups: groups ?? [],
			passwordHash: password,
			isDisabled: disabled !== 0 || groups === null,
			isUnread: groups === null,
			secondFactor: secret === null ? null : { secret, recoveryHashes: recovery ?? [] },
		};
	}),
);

/** `Accounts` in SQLite. */
export function createSqliteAccounts(database: DatabaseSync): Accounts {
	database.exec(table);
	addMissingColumns(database, 'account', { secret: 'TEXT', recovery: 'TEXT', used_step: 'INTEGER NOT NULL DEFAULT 0' });
	addMissingColumns(database, 'account', {
		...{ wrong_codes: 'INTEGER NOT NULL DEFAULT 0', changed_at: 'INTEGER NOT NULL DEFAULT 0', password_at: 'INTEGER' },
	});
	const find = database.prepare(`SELECT ${columns} FROM account WHERE folded_email = ?`);
	const list = database.prepare(`SELECT ${columns} FROM account ORDER BY folded_email`);
	const insert = database.prepare(`
		INSERT INTO account (folded_email, email, name, groups) VALUES (:foldedEmail, :email, :name, :groups) ON CONFLICT DO NOTHING`);
	const update = database.prepare('UPDATE account SET name = :name, groups = :groups WHERE folded_email = :foldedEmail');
	const remove = database.prepare('DELETE FROM account WHERE folded_email = ?');
	const disable = database.prepare(
		'UPDATE account SET disabled = :disabled, changed_at = :now WHERE folded_email = :foldedEmail',
	);
	const setLink = database.prepare(`
		UPDATE account SET password = NULL, password_at = NULL, link_hash = :linkHash, link_until = :until, changed_at = :now
		WHERE folded_email = :foldedEmail`);
	const findByLink = database.prepare(`SELECT ${columns} FROM account WHERE link_hash = ? AND link_until > ?`);
	const useLink = database.prepare(`
		UPDATE account SET password = :password, password_at = :now, link_hash = NULL, link_until = NULL
		WHERE link_hash = :linkHash AND link_until > :now AND disabled = 0`);
	const setFactor = database.prepare(
		`UPDATE account SET secret = :secret, recovery = :recovery, used_step = 0, wrong_codes = 0, changed_at = :now
		WHERE folded_email = :foldedEmail AND secret IS NULL AND password = :password AND disabled = 0`,
	);
	const removeFactor = database.prepare(
		'UPDATE account SET secret = NULL, recovery = NULL, wrong_codes = 0 WHERE folded_email = ?',
	);
	const useStep = database.prepare(`
		UPDATE account SET used_step = :step, wrong_codes = 0
		WHERE folded_email = :foldedEmail AND used_step < :step AND wrong_codes < ${maxWrongCodes}`);
	const countWrong = database.prepare('UPDATE account SET wrong_codes = wrong_codes + 1 WHERE folded_email = ?');
	const useRecovery = database.prepare(`
		UPDATE account SET wrong_codes = 0, recovery = (SELECT json_group_array(value) FROM json_each(recovery) WHERE value <> :hash)
		WHERE folded_email = :foldedEmail AND EXISTS (SELECT 1 FROM json_each(recovery) WHERE value = :hash)`);
	const accountOf = (row: unknown): Account | null => v.parse(v.optional(rowSchema), row) ?? null;
	return withFileFaults({
		find: async (email) => accountOf(find.get(normalizeEmail(email))),
		list: async () => v.parse(v.array(rowSchema), list.all()),
		put: async ({ email, name, groups }) => {
			const row = { foldedEmail: normalizeEmail(email), name, groups: JSON.stringify(groups) };
			if (insert.run({ ...row, email }).changes > 0) return 'added';
			update.run(row);
			return 'changed';
		},
		remove: async (email) => remove.run(normalizeEmail(email)).changes > 0,
		setDisabled: async (email, isDisabled, now) =>
			disable.run({ foldedEmail: normalizeEmail(email), disabled: Number(isDisabled), now }).changes > 0,
		setLink: async (email, linkHash, forMs, now) =>
			setLink.run({ foldedEmail: normalizeEmail(email), linkHash, until: now + forMs, now }).changes > 0,
		setSecondFactor: async (email, { secret, recoveryHashes }, password, now) => {
			const row = { foldedEmail: normalizeEmail(email), secret, recovery: JSON.stringify(recoveryHashes), password, now };
			return setFactor.run(row).changes > 0;
		},
		removeSecondFactor: async (email) => removeFactor.run(normalizeEmail(email)).changes > 0,
		countWrongCode: async (email) => void countWrong.run(normalizeEmail(email)),
		useStep: async (email, step) => useStep.run({ foldedEmail: normalizeEmail(email), step }).changes > 0,
		useRecoveryCode: async (email, hash) => useRecovery.run({ foldedEmail: normalizeEmail(email), hash }).changes > 0,
		findByLink: async (linkHash, now) => accountOf(findByLink.get(linkHash, now)),
		usePasswordLink: async (linkHash, password, now) => useLink.run({ linkHash, password, now }).changes > 0,
	});
}
