import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { type Cell, MsgpackReader } from '#adapters/influxql/msgpack.ts';
import { listen } from './http-server.ts';
import type { InfluxqlAccess } from './influxd1.ts';

/** What the stand-in accepts as its token. */
export const influxdb3Token = 'apiv3_stand-in';

const requestSchema = v.object({ db: v.optional(v.string(), ''), q: v.string(), format: v.picklist(['json', 'jsonl']) });

/** A row of an answer, in the order of its columns. */
type Row = readonly (readonly [name: string, cell: Cell])[];

/**
 * Starts a stand-in for InfluxDB 3, of which no server can be had: it takes requests and answers as the documents and the published source of
 * InfluxDB 3 Core say, and has an InfluxDB 1 execute each statement. Like InfluxDB 3 it writes rows without a value for aggregates.
 * @param target the InfluxDB 1, which holds the databases
 */
export async function startInfluxdb3(target: InfluxqlAccess) {
	const requests: string[] = [];
	const { url, close } = await listen(async (request, response) => {
		const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): void =>
			void response.writeHead(status, headers).end(body);
		const { pathname } = new URL(request.url ?? '', 'http://localhost');
		if (!isAllowed(request.headers.authorization)) answer(401, '');
		else if (request.method === 'GET' && pathname === '/ping')
			answer(200, JSON.stringify({ version: '3.6.0', revision: '0', process_id: '0' }), {
				'content-type': 'application/json',
				'x-influxdb-build': 'Core',
				'x-influxdb-version': '3.6.0',
			});
		else if (request.method === 'POST' && pathname === '/api/v3/query_influxql') {
			const body = await text(request);
			requests.push(body);
			const { db, q, format } = v.parse(requestSchema, JSON.parse(body));
			const rows = await execute(target, db, q);
			if (typeof rows === 'string') answer(...refusalOf(rows));
			else
				answer(200, format === 'json' ? `[${rows.map(jsonOf).join()}]` : rows.map((row) => `${jsonOf(row)}\n`).join(''), {
					'content-type': format === 'json' ? 'application/json' : 'application/jsonl',
				});
		} else answer(404, 'not found');
	});
	return {
		url,
		close,
		/** Returns the bodies of the statements' requests since the last call of this function. */
		newRequests: (): readonly string[] => requests.splice(0),
	};
}

/** Whether a request has the token, as one of the three schemes. */
function isAllowed(authorization = ''): boolean {
	const [scheme, credential = ''] = authorization.split(' ');
	if (scheme !== 'Basic') return (scheme === 'Bearer' || scheme === 'Token') && credential === influxdb3Token;
	return Buffer.from(credential, 'base64').toString().split(':')[1] === influxdb3Token;
}

/** Returns the answer to a statement that fails. */
function refusalOf(message: string): [status: number, body: string] {
	const missing = /^database not found: (.*)/.exec(message);
	return missing === null ? [500, message] : [404, JSON.stringify({ error: `query error: ${message}`, data: null })];
}

/** Executes a statement on the InfluxDB 1. Returns its rows, or an error message. */
async function execute({ url, user, password }: InfluxqlAccess, db: string, q: string): Promise<readonly Row[] | string> {
	const response = await fetch(`${url}/query`, {
		method: 'POST',
		headers: { authorization: `Basic ${btoa(`${user}:${password}`)}`, accept: 'application/x-msgpack' },
		body: new URLSearchParams({ db, q, epoch: 'ns' }),
	});
	const reader = new MsgpackReader(new Uint8Array(await response.arrayBuffer()));
	const rows: Row[] = [];
	let error: string | undefined;
	let statements = 0;
	reader.entries((key) => {
		if (key === 'error') error = reader.text();
		else
			reader.items(() => {
				statements += 1;
				reader.entries((part) => {
					if (part === 'error') error = reader.text();
					else if (part === 'series') reader.items(() => rows.push(...readSeries(reader)));
					else reader.skip();
				});
			});
	});
	if (statements !== 1) return error ?? 'must provide only one InfluxQl statement per query';
	return error ?? (/^SELECT \w+\(/.test(q) ? rows.flatMap((row) => [row, withoutValues(row, q)]) : rows);
}

const counts = /count\("(?:[^"\\]|\\.)*"(?:::\w+)?\) AS "([^"]+)"/g;
const aggregates = / AS "([^"]+)"/g;

/** Returns a row of the same series and time whose values are missing, as that of other fields' samples. Its counts are 0. */
function withoutValues(row: Row, q: string): Row {
	const namesOf = (pattern: RegExp): ReadonlySet<string> => new Set([...q.matchAll(pattern)].map(([, name = '']) => name));
	const [counted, all] = [namesOf(counts), namesOf(aggregates)];
	return row.flatMap(([name, cell]) => {
		if (counted.has(name)) return [[name, 0n] as const];
		return all.has(name) ? [] : [[name, cell] as const];
	});
}

function readSeries(reader: MsgpackReader): readonly Row[] {
	let name = '';
	const tags: [string, Cell][] = [];
	const columns: string[] = [];
	const rows: Row[] = [];
	reader.entries((key) => {
		if (key === 'name') name = reader.text();
		else if (key === 'tags') reader.entries((tag) => tags.push([tag, reader.text() || null]));
		else if (key === 'columns') reader.items(() => columns.push(reader.text()));
		else if (key === 'values')
			reader.items(() => {
				const cells: [string, Cell][] = [];
				reader.items((column) => cells.push([columns[column] ?? '', reader.cell()]));
				const times = columns[0] === 'time' ? cells.splice(0, 1) : [];
				rows.push([['iox::measurement', name], ...times.map(([time, cell]) => [time, isoOf(cell)] as const), ...tags, ...cells]);
			});
		else reader.skip();
	});
	return rows;
}

/** Writes nanoseconds as InfluxDB 3 does: without a zone, and without zeros at the end. */
function isoOf(cell: Cell): string {
	const ns = typeof cell === 'bigint' ? cell : 0n;
	const below = ((ns % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
	const seconds = new Date(Number((ns - below) / 1_000_000n)).toISOString().slice(0, 19);
	const fraction = String(below).padStart(9, '0').replace(/0+$/, '');
	return fraction === '' ? seconds : `${seconds}.${fraction}`;
}

/** Writes a row. What has no value is left out, and an infinite number is null. */
const jsonOf = (row: Row): string =>
	`{${row.flatMap(([name, cell]) => (cell === null ? [] : [`${JSON.stringify(name)}:${jsonCellOf(cell)}`])).join()}}`;

function jsonCellOf(cell: Cell): string {
	if (typeof cell !== 'number') return typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell);
	if (!Number.isFinite(cell)) return 'null';
	const written = Object.is(cell, -0) ? '-0' : String(cell);
	return /[.e]/.test(written) ? written : `${written}.0`;
}
