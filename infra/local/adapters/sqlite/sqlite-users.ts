import type { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { normalizeEmail, type Users } from '#domain/ports/users.ts';
import { withFileFaults } from './sqlite-fault.ts';

/** `folded_email`: the e-mail in the form by which users are compared. */
const table = `
	CREATE TABLE IF NOT EXISTS user (
		folded_email TEXT PRIMARY KEY, email TEXT NOT NULL, id INTEGER NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
		client_id INTEGER NOT NULL
	) STRICT, WITHOUT ROWID
`;

const columns = 'id, email, first_name AS firstName, last_name AS lastName, client_id AS clientId';

const userSchema = v.object({
	id: v.number(),
	email: v.string(),
	firstName: v.string(),
	lastName: v.string(),
	clientId: v.number(),
});

/** `Users` in SQLite, for one machine. */
export function createSqliteUsers(database: DatabaseSync): Users {
	database.exec(table);
	const find = database.prepare(`SELECT ${columns} FROM user WHERE folded_email = ?`);
	const put = database.prepare(
		'INSERT OR REPLACE INTO user VALUES (:foldedEmail, :email, :id, :firstName, :lastName, :clientId)',
	);
	const remove = database.prepare('DELETE FROM user WHERE folded_email = ?');
	const list = database.prepare(`SELECT ${columns} FROM user ORDER BY folded_email`);
	return withFileFaults({
		find: async (email) => v.parse(v.optional(userSchema), find.get(normalizeEmail(email))) ?? null,
		put: async ({ id, email, firstName, lastName, clientId }) => {
			put.run({ foldedEmail: normalizeEmail(email), email, id, firstName, lastName, clientId });
		},
		remove: async (email) => remove.run(normalizeEmail(email)).changes > 0,
		list: async () => v.parse(v.array(userSchema), list.all()),
	});
}
