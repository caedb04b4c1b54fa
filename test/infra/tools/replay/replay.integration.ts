import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLocal, writeToken } from '#test/support/servers/local.ts';
import { timeEnvironment } from '#test/support/test-time.ts';

interface PreparedResponse {
	readonly status: number;
	readonly body?: unknown;
	readonly headers?: Record<string, string>;
}
interface ReceivedRequest {
	readonly url: string;
	readonly headers: IncomingHttpHeaders;
	readonly lines: readonly string[];
	readonly atMs: number;
}

/** A write API that sends the prepared responses in turn, then 204. */
const makeServer = async (responses: readonly PreparedResponse[] = []) => {
	const received: ReceivedRequest[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks);
			const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
			const { status, body: json, headers } = responses[received.length] ?? { status: 204 };
			received.push({ url: request.url ?? '', headers: request.headers, lines: text.toString().split('\n'), atMs: Date.now() });
			response.writeHead(status, { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
			response.end(json === undefined ? undefined : JSON.stringify(json));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		received,
		lines: () => received.flatMap(({ lines }) => lines),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
};

let folder = '';
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'replay-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;
const makeCsv = async (rows: readonly string[]): Promise<string> => {
	files += 1;
	const path = join(folder, `${files}.csv`);
	await writeFile(path, rows.join('\n'));
	return path;
};

const replayPath = join(import.meta.dirname, '../../../../infra/tools/replay/replay.ts');
const usual = ['--bucket', 'plant_b', '--topic', 'ctown/{column}', '--field', 'value', '--time-column', 'DATETIME'];

/** Runs the command as `npm run replay` does. */
const replay = async (file: string, more: readonly string[], options: { readonly interruptAfterMs?: number } = {}) => {
	const child = spawn(process.execPath, ['--disable-warning=DEP0169', replayPath, file, ...usual, ...more], {
		env: { NO_COLOR: '1', ...timeEnvironment() },
	});
	let [out, err] = ['', ''];
	child.stdout.on('data', (chunk: Buffer) => {
		out += chunk.toString();
		if (options.interruptAfterMs !== undefined) setTimeout(() => child.kill('SIGINT'), options.interruptAfterMs);
	});
	child.stderr.on('data', (chunk: Buffer) => {
		err += chunk.toString();
	});
	const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
	return {
		code,
		out: out.trimEnd().split('\n'),
		err: err
			.trimEnd()
			.split('\n')
			.filter((line) => line !== ''),
	};
};

const threeRows = [
	',DATETIME,L T1,S_PU1,ATT_FLAG',
	'0,2017-01-04 00:00:00,0.73,1,benign',
	'1,2017-01-04 01:00:00,,0,benign',
	'2,2017-01-04 02:00:00,0.5,1,attack',
];
const threeRowsLines = [
	'ctown/L\\ T1 value=0.73 1483488000000',
	'ctown/S_PU1 value=1 1483488000000',
	'ctown/S_PU1 value=0 1483491600000',
	'ctown/L\\ T1 value=0.5 1483495200000',
	'ctown/S_PU1 value=1 1483495200000',
];

test('sends every numeric column, gzipped, and prints what was sent and skipped', async () => {
	await using server = await makeServer();
	const file = await makeCsv(threeRows);
	const { code, out, err } = await replay(file, ['--url', server.url]);
	expect(server.lines()).toEqual(threeRowsLines);
	expect(server.received.map(({ url }) => url)).toEqual(['/api/v2/write?org=caudal&bucket=plant_b&precision=ms']);
	expect(server.received[0]?.headers).toMatchObject({ 'content-encoding': 'gzip', authorization: 'Token demo-write-token' });
	expect(out).toEqual([
		`Sending ${file} to bucket plant_b at ${server.url}.`,
		'Sent 3 rows, 5 points, 2 columns.',
		'Skipped 0 rows, 0 points, 2 columns:',
		'  column 1: it has no name',
		'  column L T1: 1 cell without a number',
		'  column ATT_FLAG: no cell is a number (such as "benign")',
	]);
	expect(err).toEqual([]);
	expect(code).toBe(0);
});

test('reads times in the format and the zone of its options, and skips days that do not exist', async () => {
	await using server = await makeServer();
	const file = await makeCsv(['DATETIME,a', '31/01/14 00,1', '31/02/14 00,2', '01/03/14 00,3']);
	const more = ['--url', server.url, '--time-format', 'DD/MM/YY HH', '--time-zone', 'Europe/Madrid'];
	const { code, out } = await replay(file, more);
	const msOf = (iso: string): number => Date.parse(iso);
	expect(server.lines()).toEqual([
		`ctown/a value=1 ${msOf('2014-01-30T23:00:00Z')}`,
		`ctown/a value=3 ${msOf('2014-02-28T23:00:00Z')}`,
	]);
	expect(out).toContain('  1 row: the time cannot be read (such as "31/02/14 00")');
	expect(code).toBe(0);
});

test('uses the address, the token and the organization from its options', async () => {
	await using server = await makeServer();
	const more = ['--url', `${server.url}/influx/`, '--token', 'other', '--org', 'a b'];
	expect((await replay(await makeCsv(threeRows), more)).code).toBe(0);
	const { pathname, searchParams } = new URL(server.received[0]?.url ?? '', server.url);
	expect(pathname).toBe('/influx/api/v2/write');
	expect([...searchParams]).toEqual([
		['org', 'a b'],
		['bucket', 'plant_b'],
		['precision', 'ms'],
	]);
	expect(server.received[0]?.headers.authorization).toBe('Token other');
});

test('sends points in batches of at most 5000 and none of them twice', async () => {
	await using server = await makeServer();
	const rows = Array.from({ length: 6001 }, (_, index) => `${1_483_488_000 + index},${index},${-index}`);
	const { code, out } = await replay(await makeCsv(['DATETIME,a,b', ...rows]), ['--url', server.url]);
	expect(server.received.map(({ lines }) => lines.length)).toEqual([5000, 5000, 2002]);
	expect(new Set(server.lines()).size).toBe(12_002);
	expect(out[1]).toBe('Sent 6,001 rows, 12,002 points, 2 columns.');
	expect(code).toBe(0);
});

test('retries a batch after 503, with back-off or after the time in Retry-After', async () => {
	const headers = { 'retry-after': '1' };
	await using server = await makeServer([{ status: 503 }, { status: 503, body: { message: 'busy' }, headers }]);
	const { code, out, err } = await replay(await makeCsv(threeRows), ['--url', server.url]);
	expect(server.received.map(({ lines }) => lines)).toEqual([threeRowsLines, threeRowsLines, threeRowsLines]);
	const [first = 0, second = 0, third = 0] = server.received.map(({ atMs }) => atMs);
	expect(second - first).toBeGreaterThanOrEqual(350);
	expect(third - second).toBeGreaterThanOrEqual(950);
	expect(err.length).toBe(2);
	expect(err[1]).toContain('busy');
	expect(out[1]).toBe('Sent 3 rows, 5 points, 2 columns.');
	expect(code).toBe(0);
});

test('gives up after the retries and prints one line', async () => {
	await using server = await makeServer(Array.from({ length: 9 }, () => ({ status: 503, body: { message: 'busy' } })));
	const { code, err } = await replay(await makeCsv(threeRows), ['--url', server.url, '--retries', '1']);
	expect(server.received.length).toBe(2);
	expect(err.at(-1)).toBe(`replay: ${server.url} does not take the points (503, tried 2 times): busy`);
	expect(code).toBe(1);
});

test('names the server that cannot be reached', async () => {
	let url = '';
	{
		await using server = await makeServer();
		url = server.url;
	}
	const { code, err } = await replay(await makeCsv(threeRows), ['--url', url, '--retries', '0']);
	expect(err).toEqual([`replay: ${url} cannot be reached: connect ECONNREFUSED ${url.slice('http://'.length)}`]);
	expect(code).toBe(1);
});

test.each([
	[401, 'refuses the token (401): unauthorized access'],
	[404, 'does not take the points (404): unauthorized access'],
	[200, 'does not take the points (200): unauthorized access'],
	[307, 'does not take the points (307): unauthorized access'],
])('does not retry after %j', async (status, text) => {
	await using server = await makeServer([{ status, body: { code: 'unauthorized', message: 'unauthorized access' } }]);
	const { code, err } = await replay(await makeCsv(threeRows), ['--url', server.url]);
	expect(err).toEqual([`replay: ${server.url} ${text}`]);
	expect(server.received.length).toBe(1);
	expect(code).toBe(1);
});

test('creates the bucket first with --create, and goes on where there is one', async () => {
	const org = { status: 200, body: { orgs: [{ id: '0123456789abcdef', name: 'caudal' }] } };
	for (const [status, printed] of [
		[201, ['Created bucket plant_b.']],
		[422, []],
	] as const) {
		await using server = await makeServer([org, { status, body: {} }]);
		const file = await makeCsv(threeRows);
		const { code, out } = await replay(file, ['--url', server.url, '--create']);
		expect(server.received.map(({ url }) => url)).toEqual([
			'/api/v2/orgs?org=caudal',
			'/api/v2/buckets',
			'/api/v2/write?org=caudal&bucket=plant_b&precision=ms',
		]);
		expect(JSON.parse(server.received[1]?.lines[0] ?? '')).toEqual({ orgID: '0123456789abcdef', name: 'plant_b' });
		expect(out.slice(0, -5)).toEqual([...printed, `Sending ${file} to bucket plant_b at ${server.url}.`]);
		expect(code).toBe(0);
	}
	await using without = await makeServer([{ status: 404, body: { code: 'not found', message: 'bucket "plant_b" not found' } }]);
	expect((await replay(await makeCsv(threeRows), ['--url', without.url])).err).toEqual([
		`replay: ${without.url} does not take the points (404): bucket "plant_b" not found. --create creates it.`,
	]);
	await using refusing = await makeServer([org, { status: 403, body: {} }]);
	const { code, err } = await replay(await makeCsv(threeRows), ['--url', refusing.url, '--create']);
	expect([code, err]).toEqual([1, [`replay: ${refusing.url} does not create bucket plant_b (403).`]]);
});

const pastRetention = (dropped: number) => ({
	status: 422,
	body: {
		code: 'unprocessable entity',
		message: `failure writing points to database: partial write: points beyond retention policy dropped=${dropped}; stored: lines ${dropped + 1}-5000`,
	},
});

test('counts the points that the server refused, prints its message, and continues', async () => {
	await using server = await makeServer([pastRetention(4999), pastRetention(7)]);
	const rows = Array.from({ length: 12_000 }, (_, index) => `${1_483_488_000 + index},${index}`);
	const { code, out } = await replay(await makeCsv(['DATETIME,a', ...rows]), ['--url', server.url]);
	expect(out.slice(1)).toEqual([
		'Sent 12,000 rows, 6,994 points, 1 column.',
		'Skipped 0 rows, 5,006 points, 0 columns:',
		'  5,006 points refused by the server: failure writing points to database: partial write: points beyond retention policy',
		'  (--shift-to-now moves the newest row to now)',
	]);
	expect(code).toBe(0);
});

test('prints the warnings of the server, those that differ in numbers only once', async () => {
	const warned = (count: number, line: number) => ({
		'x-caudal-warning': `${count} samples ahead of the clock, the first in line ${line} by 46500 s`,
	});
	await using server = await makeServer([
		{ status: 204, headers: warned(2, 1) },
		{ ...pastRetention(7), headers: warned(31, 4) },
		{ status: 204, headers: { 'x-caudal-warning': 'another' } },
	]);
	const rows = Array.from({ length: 12_000 }, (_, index) => `${1_483_488_000 + index},${index}`);
	const { code, out } = await replay(await makeCsv(['DATETIME,a', ...rows]), ['--url', server.url]);
	expect(out.slice(-2)).toEqual([
		'The server warns: 2 samples ahead of the clock, the first by 46500 s. Local times need --time-zone.',
		'The server warns: another.',
	]);
	expect(code).toBe(0);
});

test('08 of ../shared/field: samples ahead of the clock are told by the service itself', async () => {
	const service = await startLocal();
	try {
		const row = (minutes: number): string => `${new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19)},4.2`;
		const file = await makeCsv(['DATETIME,level', row(775), row(780)]);
		const { code, out } = await replay(file, ['--url', service.baseUrl, '--token', writeToken, '--create']);
		expect(out.at(-1)).toMatch(
			/^The server warns: 2 samples ahead of the clock, the first by 46\d{3} s\. Local times need --time-zone\.$/,
		);
		expect(code).toBe(0);
	} finally {
		await service.close();
	}
});

test('says what a file did not say clearly, before it is sent', async () => {
	await using server = await makeServer();
	const file = await makeCsv(['DATETIME;tag;v;q', '2017-01-04;L T1;0,5;OK', '2017-01-04;P1;7;good', '2017-01-04;P2;8;bad']);
	const more = ['--series-column', 'tag', '--value-column', 'v', '--quality-column', 'q', '--good', 'ok', 'Good'];
	const { code, out } = await replay(file, [...more, '--url', server.url]);
	expect(out).toEqual([
		'Cells are separated by ";".',
		'Numbers have a decimal comma, such as "0,5".',
		`Sending ${file} to bucket plant_b at ${server.url}.`,
		'Sent 2 rows, 2 points, 2 series.',
		'Skipped 1 row, 0 points, 0 series:',
		'  1 row: the quality is not good (such as "bad")',
	]);
	expect(server.lines()).toEqual(['ctown/L\\ T1 value=0.5 1483488000000', 'ctown/P1 value=7 1483488000000']);
	expect(code).toBe(0);
});

test('sends repeated rows only when it is told to', async () => {
	await using server = await makeServer();
	const file = await makeCsv(['DATETIME,a', '2017-01-04,1', '2017-01-04,2']);
	const refused = await replay(file, ['--url', server.url, '--create']);
	expect(refused.err[0]).toContain('has 1 row with the series and time of an earlier row, the first in line 3');
	expect([refused.code, server.received]).toEqual([1, []]);
	const { code } = await replay(file, ['--url', server.url, '--repeated', 'keep']);
	expect([code, server.lines()]).toEqual([0, ['ctown/a value=1 1483488000000', 'ctown/a value=2 1483488000000']]);
});

test('exits with 1 when the server refused every point', async () => {
	await using server = await makeServer([{ status: 400, body: { code: 'invalid', message: 'line 1: bad' } }]);
	const { code, out } = await replay(await makeCsv(threeRows), ['--url', server.url]);
	expect(out.slice(1, 3)).toEqual(['Sent 0 rows, 0 points, 0 columns.', 'Skipped 3 rows, 5 points, 4 columns:']);
	expect(out.at(-1)).toBe('  up to 5 points refused by the server: line 1: bad');
	expect(code).toBe(1);
});

test('moves the newest row to now', async () => {
	await using server = await makeServer();
	const beforeMs = Date.now();
	await replay(await makeCsv(threeRows), ['--url', server.url, '--shift-to-now']);
	const times = server.lines().map((line) => Number(line.split(' ').at(-1)));
	expect(times.at(-1)).toBeGreaterThanOrEqual(beforeMs);
	expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
	expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBe(2 * 60 * 60 * 1000);
});

test('sends rows at the given rate', async () => {
	await using server = await makeServer();
	await replay(await makeCsv(threeRows), ['--url', server.url, '--rate', '7200']);
	expect(server.received.map(({ lines }) => lines.length)).toEqual([2, 1, 2]);
	const [first = 0, , third = 0] = server.received.map(({ atMs }) => atMs);
	expect(third - first).toBeGreaterThan(400);
});

test('prints what was sent when it is interrupted', async () => {
	await using server = await makeServer();
	const { code, out } = await replay(await makeCsv(threeRows), ['--url', server.url, '--rate', '1'], { interruptAfterMs: 1000 });
	expect(out).toContain('Sent 1 row, 2 points, 2 columns.');
	expect(out.at(-1)).toBe('Interrupted.');
	expect(code).toBe(130);
});

test.each([
	['a missing file', [], [], 'missing.csv cannot be read as CSV: ENOENT: no such file or directory'],
	[
		'a missing time column',
		threeRows,
		['--time-column', 'Time'],
		'The file has no column Time: it has DATETIME, L T1, S_PU1, ATT_FLAG.',
	],
	['a rate of 0', threeRows, ['--rate', '0'], "'--rate <number>' argument '0' is invalid. It must be a number above 0."],
	[
		'a rate that is no number',
		threeRows,
		['--rate', 'x'],
		"'--rate <number>' argument 'x' is invalid. It must be a number above 0.",
	],
	['an address that is not http', threeRows, ['--url', 'ftp://x'], 'It must be an http or https address.'],
	['a file without rows', ['DATETIME,a'], [], 'has no rows below its header.'],
	[
		'a file without times that can be read',
		['DATETIME,a', 'x,1'],
		[],
		'has no time that can be read in column DATETIME: the first is "x". Say how it is written with --time-format.',
	],
	[
		'a file whose times need a format, which it names',
		['DATETIME,a', '06/01/14 00,1', '06/01/14 01,2'],
		[],
		'the first is "06/01/14 00". It fits --time-format "DD/MM/YY HH" and --time-format "MM/DD/YY HH".',
	],
	[
		'such a file with --shift-to-now',
		['DATETIME,a', '16/01/14 00,1'],
		['--shift-to-now'],
		'the first is "16/01/14 00". It fits --time-format "DD/MM/YY HH".',
	],
	[
		'a time format without a year',
		threeRows,
		['--time-format', 'DD/MM'],
		'The time format "DD/MM" cannot be used: it has no year.',
	],
	['a delimiter of two characters', threeRows, ['--delimiter', '||'], 'It must be one character, or tab.'],
	['a delimiter that is a quote', threeRows, ['--delimiter', '"'], 'It must be one character, or tab.'],
	['an unknown encoding', threeRows, ['--encoding', 'utf-9'], 'It must be an encoding, such as windows-1252 or utf-16le.'],
	[
		'another decimal sign',
		threeRows,
		['--decimal', ';'],
		"'--decimal <sign>' argument ';' is invalid. Allowed choices are ., ,.",
	],
	['a column of series without one of values', threeRows, ['--series-column', 'L T1'], 'and --value-column go together.'],
	['a folder', threeRows, [], 'is no regular file. Save it as one: it is read twice.'],
	['an unknown time zone', threeRows, ['--time-zone', 'Mars'], 'There is no time zone Mars'],
	['an empty file', [''], [], 'is empty: a first row of column names is needed.'],
	['a file that is not CSV', ['DATETIME,a', '2017-01-04,"1'], [], 'cannot be read as CSV: Quote Not Closed'],
])('refuses %s in one line', async (name, rows, more, line) => {
	const file = rows.length === 0 ? join(folder, 'missing.csv') : await makeCsv(rows);
	const { code, err } = await replay(name === 'a folder' ? folder : file, [
		'--url',
		'http://127.0.0.1:9',
		'--retries',
		'0',
		...more,
	]);
	expect(err.length).toBe(1);
	expect(err[0]).toContain(line);
	expect(code).toBe(1);
});
