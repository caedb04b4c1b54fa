import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { roles } from '#domain/access/role.ts';
import type { People } from '#domain/ports/people.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { inCommit } from './sqlite-database.ts';
import { withFileFaults } from './sqlite-fault.ts';

const table = `
	CREATE TABLE IF NOT EXISTS person (
		schema TEXT NOT NULL, folded_email TEXT NOT NULL, email TEXT NOT NULL, role TEXT NOT NULL, last_sign_in_at INTEGER,
		PRIMARY KEY (schema, folded_email)
	) STRICT, WITHOUT ROWID
`;

const columns = 'email, role, last_sign_in_at AS lastSignInAt';

const personSchema = v.object({ email: v.string(), role: v.picklist(roles), lastSignInAt: v.nullable(v.number()) });

/** `People` in SQLite, for one machine. */
export function createSqlitePeople(database: DatabaseSync): People {
	database.exec(table);
	const find = database.prepare(`SELECT ${columns} FROM person WHERE schema = ? AND folded_email = ?`);
	const list = database.prepare(`SELECT ${columns} FROM person WHERE schema = ? ORDER BY folded_email`);
	const noteSignIn = database.prepare(`
		INSERT INTO person VALUES (:schema, :key, :email, :role, :at)
		ON CONFLICT DO UPDATE SET last_sign_in_at = :at`);
	const setRole = database.prepare(`
		INSERT INTO person VALUES (:schema, :key, :email, :role, NULL)
		ON CONFLICT DO UPDATE SET role = :role
		RETURNING ${columns}`);
	const personOf = (schema: string, email: string) =>
		v.parse(v.optional(personSchema), find.get(schema, normalizeEmail(email))) ?? null;
	return withFileFaults({
		find: async (schema, email) => personOf(schema, email),
		list: async (schema) => v.parse(v.array(personSchema), list.all(schema)),
		noteSignIn: async (schema, email, role, at) => {
			noteSignIn.run({ schema, key: normalizeEmail(email), email, role, at });
		},
		setRole: async (schema, email, role, by) =>
			inCommit(database, () => {
				if (by !== null && personOf(schema, by)?.role !== 'administrator') return 'not_administrator';
				return v.parse(personSchema, setRole.get({ schema, key: normalizeEmail(email), email, role }));
			}),
	});
}
