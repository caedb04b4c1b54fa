import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { defaultJournalDays } from '#adapters/stored-change.ts';
import { roles } from '#domain/access/role.ts';
import { administratorOf, roleChange } from '#domain/access/role-change.ts';
import type { People } from '#domain/ports/people.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { changeWriter } from './sqlite-change-journal.ts';
import { addMissingColumns, inCommit } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

/** `folded_email`: the e-mail in the form by which people are compared. */
const table = `
	CREATE TABLE IF NOT EXISTS person (
		schema TEXT NOT NULL, folded_email TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, last_sign_in_at INTEGER,
		PRIMARY KEY (schema, folded_email)
	) STRICT, WITHOUT ROWID
`;

const columns = 'email, role, last_sign_in_at AS lastSignInAt';

const storedRoleSchema = v.object({ role: v.picklist(roles), rowVersion: v.number() });

const personSchema = v.object({ email: v.string(), role: v.picklist(roles), lastSignInAt: v.nullable(v.number()) });

/** `People` in SQLite, for one machine. `days`: how many days entries stay in the journal of changes; 0: for ever. */
export function createSqlitePeople(database: DatabaseSync, days: number = defaultJournalDays.changes): People {
	database.exec(table);
	addMissingColumns(database, 'person', { row_version: 'INTEGER NOT NULL DEFAULT 0' });
	const journal = changeWriter(database, days);
	const find = database.prepare(`SELECT ${columns} FROM person WHERE schema = ? AND folded_email = ?`);
	const findRole = database.prepare(`
		SELECT role, row_version AS rowVersion FROM person WHERE schema = ? AND folded_email = ?`);
	const list = database.prepare(`SELECT ${columns} FROM person WHERE schema = ? ORDER BY folded_email`);
	// A stored person keeps the role: the parameters `email` and `role` are for a new one.
	const noteSignIn = database.prepare(`
		INSERT INTO person (schema, folded_email, email, role, last_sign_in_at) VALUES (:schema, :key, :email, :role, :at)
		ON CONFLICT DO UPDATE SET last_sign_in_at = :at`);
	const setRole = database.prepare(`
		INSERT INTO person (schema, folded_email, email, role, row_version) VALUES (:schema, :key, :email, :role, :version)
		ON CONFLICT DO UPDATE SET role = :role, row_version = :version
		RETURNING ${columns}`);
	const personOf = (schema: string, email: string) =>
		v.parse(v.optional(personSchema), find.get(schema, normalizeEmail(email))) ?? null;
	return withFileFaults({
		find: async (schema, email) => personOf(schema, email),
		list: async (schema) => v.parse(v.array(personSchema), list.all(schema)),
		noteSignIn: async (schema, email, role, at) => {
			noteSignIn.run({ schema, key: normalizeEmail(email), email, role, at });
		},
		setRole: async (schema, email, role, setter) =>
			inCommit(database, () => {
				// Null where a command of an operator sets the role: it needs no administrator.
				const administrator = administratorOf(setter);
				if (administrator !== null && personOf(schema, administrator)?.role !== 'administrator') return 'not_administrator';
				const person = personOf(schema, email);
				if (person?.role === role) return person;
				const key = normalizeEmail(email);
				const stored = v.parse(v.optional(storedRoleSchema), findRole.get(schema, key)) ?? null;
				const change = roleChange(person?.email ?? email, stored, setter);
				journal.add(schema, [change]);
				return v.parse(personSchema, setRole.get({ schema, key, email, role, version: change.entry.rowVersion }));
			}),
	});
}
