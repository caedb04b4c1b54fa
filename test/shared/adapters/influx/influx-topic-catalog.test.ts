import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { createInfluxTopicCatalog } from '#adapters/influx/influx-topic-catalog.ts';
import { staticSecret } from '#adapters/secret.ts';
import type { TopicCatalog } from '#domain/ports/topic-catalog.ts';

const now = Date.UTC(2026, 10, 21, 12);

/** Runs a test on a catalog whose server answers as `respond` does. */
const withServer = async (
	respond: (response: ServerResponse) => void,
	work: (catalog: TopicCatalog, requests: () => number) => Promise<void>,
): Promise<void> => {
	let requests = 0;
	const server = createServer((request, response) => {
		requests += 1;
		request.resume();
		respond(response);
	}).listen(0, '127.0.0.1');
	await new Promise((resolve) => server.once('listening', resolve));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;
	const connection = openInfluxConnection({
		...{ url, org: 'o', token: staticSecret('t'), topicColumn: '_measurement', deadlineMs: 300 },
	});
	try {
		await work(createInfluxTopicCatalog(connection), () => requests);
	} finally {
		connection.close();
		server.closeAllConnections();
		server.close();
	}
};

const csv = (rows: string): string =>
	`#datatype,string,long,string,string,string\r\n#default,names,,,,\r\n,result,table,_field,_value,\u0001\r\n${rows}`;
const end = ',,1,\u{10ffff},\u{10ffff},\u{10ffff}\r\n\r\n';

test('every read of a server that does not answer is a fault when its time is over', () =>
	withServer(
		() => undefined,
		async (catalog) => {
			for (const read of [
				() => catalog.topics('d', now),
				() => catalog.newest('d', ['t'], now),
				() => catalog.newestTimes('d', [{ topic: 't', field: 'f' }], { start: now - 1000, stop: now }, 3),
			]) {
				const startedAt = performance.now();
				await expect(read()).rejects.toMatchObject({ code: 'dependency_slow', payload: { dependency: 'tsdb' } });
				expect(performance.now() - startedAt).toBeLessThan(10_000);
			}
		},
	));

test('names that were cut short are a fault, and are not kept', async () => {
	let isWhole = false;
	await withServer(
		(response) => {
			response.setHeader('content-type', 'text/csv');
			response.end(csv(`,,0,,a,\r\n,,0,,b,\r\n${isWhole ? end : ''}`));
		},
		async (catalog, requests) => {
			await expect(catalog.topics('d', now)).rejects.toMatchObject({ code: 'dependency_failed' });
			isWhole = true;
			expect(await catalog.topics('d', now)).toEqual(['a', 'b']);
			expect(await catalog.topics('d', now + 59_999)).toEqual(['a', 'b']);
			expect(requests()).toBe(2);
			await catalog.topics('other', now);
			await catalog.topics('d', now + 60_000);
			// A clock that was set back.
			await catalog.topics('d', now - 60_000);
			expect(requests()).toBe(5);
		},
	);
});
