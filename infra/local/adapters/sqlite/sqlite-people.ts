import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { defaultJournalDays } from '#adapters/stored-change.ts';
import { storedRoleOf } from '#adapters/stored-role.ts';
import { administratorOf, isAdministrating, type RoleSetter, roleChange, roleRefusal } from '#domain/access/role-change.ts';
import type { People, Person } from '#domain/ports/people.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { changeWriter } from './sqlite-change-journal.ts';
import { addMissingColumns, inCommit } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';
import { sessionFinder } from './sqlite-openid-sessions.ts';

/**
 * `folded_email`: the e-mail in the form by which people are compared. `provider`, `granted`: of a person of an OpenID provider, whose id is
 * in place of the e-mail, and whose name is `email`.
 */
const table = `
	CREATE TABLE IF NOT EXISTS person (
		schema TEXT NOT NULL, folded_email TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, last_sign_in_at INTEGER,
		PRIMARY KEY (schema, folded_email)
	) STRICT, WITHOUT ROWID
`;

const columns =
	'schema, folded_email AS foldedEmail, email, role, last_sign_in_at AS lastSignInAt, row_version AS rowVersion, provider, granted';

const personSchema = v.object({
	schema: v.string(),
	foldedEmail: v.string(),
	email: v.string(),
	role: v.string(),
	lastSignInAt: v.nullable(v.number()),
	rowVersion: v.number(),
	provider: v.nullable(v.string()),
	granted: v.nullable(v.string()),
});

const personOf = (row: unknown): Person & { readonly rowVersion: number } => {
	const { schema, foldedEmail, email: name, role, provider, granted, ...others } = v.parse(personSchema, row);
	const person = { ...others, role: storedRoleOf(schema, role) };
	return provider === null || granted === null
		? { ...person, email: name, openId: null }
		: { ...person, email: foldedEmail, openId: { name, provider, granted: storedRoleOf(schema, granted) } };
};

const withoutVersion = ({ rowVersion: _, ...person }: ReturnType<typeof personOf>): Person => person;

/** `People` in SQLite, for one machine. `days`: how many days entries stay in the journal of changes; 0: for ever. */
export function createSqlitePeople(database: DatabaseSync, days: number = defaultJournalDays.changes): People {
	database.exec(table);
	addMissingColumns(database, 'person', { row_version: 'INTEGER NOT NULL DEFAULT 0', provider: 'TEXT', granted: 'TEXT' });
	const journal = changeWriter(database, days);
	const find = database.prepare(`SELECT ${columns} FROM person WHERE schema = ? AND folded_email = ?`);
	const list = database.prepare(`SELECT ${columns} FROM person WHERE schema = ? ORDER BY folded_email`);
	// A stored person keeps the role: the parameters `email` and `role` are for a new one.
	const noteSignIn = database.prepare(`
		INSERT INTO person (schema, folded_email, email, role, last_sign_in_at) VALUES (:schema, :key, :email, :role, :at)
		ON CONFLICT DO UPDATE SET last_sign_in_at = :at`);
	const setRole = database.prepare(`
		INSERT INTO person (schema, folded_email, email, role, row_version) VALUES (:schema, :key, :email, :role, :version)
		ON CONFLICT DO UPDATE SET role = :role, row_version = :version
		RETURNING ${columns}`);
	const noteOpenIdSignIn = database.prepare(`
		INSERT INTO person (schema, folded_email, email, role, last_sign_in_at, provider, granted)
		VALUES (:schema, :id, :name, 'viewer', :at, :provider, :granted)
		ON CONFLICT DO UPDATE SET last_sign_in_at = :at, email = :name, provider = :provider, granted = :granted`);
	const remove = database.prepare('DELETE FROM person WHERE schema = ? AND folded_email = ?');
	const findSession = sessionFinder(database);
	const storedOf = (schema: string, email: string) => {
		const row = find.get(schema, normalizeEmail(email));
		return row === undefined ? null : personOf(row);
	};
	const isAdministrator = (schema: string, setter: RoleSetter): boolean => {
		// Null where a command of an operator sets the role: it needs no administrator.
		const administrator = administratorOf(setter);
		if (administrator === null || storedOf(schema, administrator)?.role === 'administrator') return true;
		const session = setter.session === null ? null : findSession(setter.session);
		return session !== null && isAdministrating(session, schema, setter);
	};
	return withFileFaults({
		find: async (schema, email) => {
			const stored = storedOf(schema, email);
			return stored === null ? null : withoutVersion(stored);
		},
		list: async (schema) => list.all(schema).map((row) => withoutVersion(personOf(row))),
		noteSignIn: async (schema, email, role, at) => {
			noteSignIn.run({ schema, key: normalizeEmail(email), email, role, at });
		},
		noteOpenIdSignIn: async (schema, id, { name, provider, granted }, at) => {
			noteOpenIdSignIn.run({ schema, id: normalizeEmail(id), name, provider, granted, at });
		},
		remove: async (schema, email) => remove.run(schema, normalizeEmail(email)).changes > 0,
		setRole: async (schema, email, role, setter) =>
			inCommit(database, () => {
				if (!isAdministrator(schema, setter)) return 'not_administrator';
				const stored = storedOf(schema, email);
				const refusal = roleRefusal(email, role, stored);
				if (refusal !== null) return refusal;
				if (stored?.role === role) return withoutVersion(stored);
				const change = roleChange(stored?.email ?? email, stored, setter);
				journal.add(schema, [change]);
				const version = change.entry.rowVersion;
				return withoutVersion(personOf(setRole.get({ schema, key: normalizeEmail(email), email, role, version })));
			}),
	});
}
