import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import type { User, Users } from '#domain/ports/users.ts';
import { normalizeEmail } from '#domain/use-cases/sign-in.ts';

const table = `
	CREATE TABLE IF NOT EXISTS user (
		folded_email TEXT PRIMARY KEY, email TEXT NOT NULL, id INTEGER NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
		client_id INTEGER NOT NULL
	) STRICT, WITHOUT ROWID
`;

const storedSchema = v.pipe(
	v.object({ id: v.number(), email: v.string(), first_name: v.string(), last_name: v.string(), client_id: v.number() }),
	v.transform(
		({ id, email, first_name, last_name, client_id }): User => ({
			id,
			email,
			firstName: first_name,
			lastName: last_name,
			clientId: client_id,
		}),
	),
);

/** `Users` in SQLite, for one machine. */
export function createSqliteUsers(database: DatabaseSync): Users {
	database.exec(table);
	const find = database.prepare('SELECT * FROM user WHERE folded_email = ?');
	const put = database.prepare('INSERT OR REPLACE INTO user VALUES (?, ?, ?, ?, ?, ?)');
	const remove = database.prepare('DELETE FROM user WHERE folded_email = ?');
	const list = database.prepare('SELECT * FROM user ORDER BY folded_email');
	return {
		find: async (email) => {
			const stored = find.get(normalizeEmail(email));
			return stored === undefined ? null : v.parse(storedSchema, stored);
		},
		put: async ({ id, email, firstName, lastName, clientId }) => {
			put.run(normalizeEmail(email), email, id, firstName, lastName, clientId);
		},
		remove: async (email) => remove.run(normalizeEmail(email)).changes > 0,
		list: async () => list.all().map((stored) => v.parse(storedSchema, stored)),
	};
}
