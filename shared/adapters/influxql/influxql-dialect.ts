import { DomainError } from '#domain/errors.ts';
import type { QueryDialect } from '../influx-common/query-client.ts';
import type { InfluxqlStatement } from './answer.ts';

/** Most bytes of a request, as a form has them. */
export const maxFormBytes = 4_000_000;

/** Returns how InfluxDB 1 and 2 are asked: all statements of a read in one form. */
export const influxqlDialect = (user: string): QueryDialect => ({
	path: '/query',
	headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/x-msgpack' },
	answerType: /^application\/x-msgpack\b/,
	authorizationOf: (password) => basicOf(user, password),
	// Casts choose the type of samples, so no statement fails by it.
	isTypeMessage: () => false,
});

/** Writes the header of a user with a password. */
export function basicOf(user: string, password: string): string {
	return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Writes the form of a request. @param isChunked whether the server sends each series as soon as it has it @throws DomainError `too_large` */
export function formOf(database: string, statements: readonly InfluxqlStatement[], isChunked: boolean): string {
	const slash = database.indexOf('/');
	const [name, policy] = slash < 0 ? [database] : [database.slice(0, slash), database.slice(slash + 1)];
	const form = new URLSearchParams({
		db: name,
		...(policy === undefined ? {} : { rp: policy }),
		epoch: 'ns',
		chunked: String(isChunked),
		q: statements.map(({ text }) => text).join(';'),
	}).toString();
	if (form.length > maxFormBytes)
		throw new DomainError('too_large', {
			field: 'request',
			counted: 'bytes_of_query',
			actual: form.length,
			limit: maxFormBytes,
		});
	return form;
}
