import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openInfluxqlConnection } from '#adapters/influxql/influxql-connection.ts';
import { staticSecret } from '#adapters/secret.ts';
import { listen } from '#test/support/servers/http-server.ts';

const secret = 's3cret-token';
const encoded = Buffer.from(`reader:${secret}`).toString('base64');

describe('the log of an error that repeats the credentials', () => {
	let server: Awaited<ReturnType<typeof listen>>;
	let answers: Readonly<Record<string, (response: ServerResponse, header: string) => void>>;

	beforeEach(async () => {
		server = await listen((request, response) => {
			const { pathname } = new URL(request.url ?? '', 'http://localhost');
			answers[pathname]?.(response, request.headers.authorization ?? '');
		});
	});
	afterEach(() => server.close());

	const ping = (version: string) => (response: ServerResponse) =>
		void response.writeHead(204, { 'x-influxdb-version': version }).end();
	const repeat = (response: ServerResponse, header: string) => void response.writeHead(500).end(`no user for ${header} here`);

	/** Returns the cause of the failure of a read. */
	const causeOf = async (): Promise<string> => {
		const connection = openInfluxqlConnection({
			url: server.url,
			user: 'reader',
			token: staticSecret(secret),
			topicColumn: '_measurement',
			deadlineMs: 2000,
		});
		const reading = connection.read('plant', { isShort: true }, (run) =>
			run([{ text: 'SELECT last("value"::float) FROM "a" WHERE time < 1ms GROUP BY *', read: () => undefined }]),
		);
		const error = await reading.catch((reason: unknown) => reason);
		connection.close();
		expect(error).toMatchObject({ code: 'dependency_failed' });
		return JSON.stringify([error, String(error instanceof Error ? error.cause : error)]);
	};

	test.each([
		['/query, as Basic', { '/ping': ping('1.8.10'), '/query': repeat }, 'no user for Basic …'],
		['/api/v3/query_influxql, as Bearer', { '/ping': ping('3.6.0'), '/api/v3/query_influxql': repeat }, 'no user for Bearer …'],
		['/ping, and the read fails, too', { '/ping': repeat, '/query': repeat }, 'no user for Basic …'],
	])('shows them in no form: %s', async (_, given, shown) => {
		answers = given;
		const cause = await causeOf();
		expect(cause).toContain(shown);
		expect([cause.includes(secret), cause.includes(encoded)]).toEqual([false, false]);
	});
});
