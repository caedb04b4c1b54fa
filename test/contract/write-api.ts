import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '#domain/milliseconds.ts';
import type { SampleReader } from '#domain/ports/sample-reader.ts';
import type { TopicCatalog } from '#domain/ports/topic-catalog.ts';

/** A request to a write API. */
export interface WriteRequest {
	readonly method: string;
	/** The path and the query. */
	readonly target: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string | Buffer;
}

/** A write API with the reads of what it stored. */
export interface OpenWriteApi {
	/** The token that requests have to carry. */
	readonly token: string;
	send(request: WriteRequest): Promise<{ readonly status: number; readonly text: string }>;
	/** Creates a bucket of its own name. */
	newBucket(retentionMs: number | undefined): Promise<string>;
	/** Epoch milliseconds. */
	now(): number;
	readonly reads: Pick<TopicCatalog, 'topics' | 'newest'> & Pick<SampleReader, 'readSamples'>;
	close(): Promise<void>;
}

/** 15 March 2024, a Friday. */
const t = Date.UTC(2024, 2, 15, 12);
/** The Monday after it, on which a week of InfluxDB begins. */
const monday = Date.UTC(2024, 2, 18);

interface Case {
	readonly query?: string;
	/** The path, where it is not that of InfluxDB 2. The bucket follows it. */
	readonly path?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** What was written before. */
	readonly earlier?: string;
	readonly retentionMs?: number;
	/** Each topic and field with its type and its values. Left out: nothing is stored. */
	readonly stored?: Readonly<Record<string, readonly (string | number)[]>>;
	/** What the message contains. */
	readonly says?: string;
}

type Row = readonly [name: string, body: string | Buffer, status: number, rest?: Case];

const conflict = (sent: string, type: string, dropped = 1) =>
	`failure writing points to database: partial write: field type conflict: input field "f" on measurement "m" is type ${sent}, already exists as type ${type} dropped=${dropped}`;
const one = { 'm f': ['float', 1] };
const v1 = '/write?db=';

const lines: readonly Row[] = [
	['a line', `m f=1 ${t}`, 204, { stored: one }],
	['CRLF after a time', `m f=1 ${t}\r\n`, 400, { says: `unable to parse 'm f=1 ${t}\r'` }],
	['CRLF after a number', 'm f=1\r\n', 400, { says: "unable to parse 'm f=1\r'" }],
	['CRLF alone', `m f=1 ${t}\n\r\n`, 400, { says: "unable to parse '\r'" }],
	['CRLF after a comment', `# x\r\nm f=1 ${t}`, 204, { stored: one }],
	['a byte order mark, which becomes a part of the name', `\ufeffm f=1 ${t}`, 204, { stored: { '\ufeffm f': ['float', 1] } }],
	...[
		'+5',
		'+5i',
		'.',
		'-',
		'1e',
		'1e400',
		'Inf',
		'-inf',
		'0x10',
		'1_0',
		'1,5',
		'-5u',
		'1.5i',
		'1e3i',
		'5ii',
		'i',
		'tRUE',
		'yes',
		'"s',
	].map((value): Row => [`the value ${value}`, `m f=${value} ${t}`, 400, { says: 'unable to parse' }]),
	...(
		[
			['-5', 'float', -5],
			['1.', 'float', 1],
			['.5', 'float', 0.5],
			['1E+5', 'float', 100_000],
			['1e-400', 'float', 0],
			['007', 'float', 7],
			['5i', 'integer', 5],
			['-0i', 'integer', 0],
			['5u', 'integer', 5],
			['t', 'boolean', 1],
			['T', 'boolean', 1],
			['true', 'boolean', 1],
			['TRUE', 'boolean', 1],
			['F', 'boolean', 0],
			['False', 'boolean', 0],
		] as const
	).map(([value, type, number]): Row => [`the value ${value}`, `m f=${value} ${t}`, 204, { stored: { 'm f': [type, number] } }]),
	['text', `m f="a\\"b\nc" ${t}`, 204, { stored: { 'm f': ['text'] } }],
	['the largest integer', `m f=9223372036854775807i ${t}`, 204, { stored: { 'm f': ['integer', Number.NaN] } }],
	['an integer beyond it', `m f=9223372036854775808i ${t}`, 400, { says: 'unable to parse' }],
	['an unsigned integer beyond the largest', `m f=18446744073709551616u ${t}`, 400, { says: 'unable to parse' }],
	['NaN beside good lines', `a f=1 ${t}\nm f=NaN ${t}\nb f=2 ${t}`, 400, { says: `unable to parse 'm f=NaN ${t}'` }],
	['NaN beside a good field', `m f=1,g=NaN ${t}`, 400, { says: 'unable to parse' }],
	['a tag named time', `a f=1 ${t}\nm,time=x f=1 ${t}`, 400, { says: 'cannot use reserved tag key "time"' }],
	['a tag named _field', `m,_field=x f=1 ${t}`, 400, { says: 'cannot use reserved tag key "_field"' }],
	['a tag named _measurement', `m,_measurement=x f=1 ${t}`, 400, { says: 'cannot use reserved tag key "_measurement"' }],
	[
		'a field named time',
		`x time=1 ${t}\nm f=1 ${t}`,
		422,
		{ stored: one, says: 'invalid field name: input field "time" on measurement "x" is invalid dropped=1' },
	],
	['a field named time beside another', `m time=5,f=1 ${t}`, 204, { stored: one }],
	['a tag twice', `m,k=a,k=b f=1 ${t}`, 400, { says: 'duplicate tag' }],
	['a tag twice, apart', `m,k=a,a=1,k=b f=1 ${t}`, 400, { says: 'duplicate tag' }],
	['a tag without a value', `m,k= f=1 ${t}`, 400, { says: 'unable to parse' }],
	['a tag without a key', `m,=a f=1 ${t}`, 400, { says: 'missing tag key' }],
	['= in the value of a tag', `m,k=a=b f=1 ${t}`, 400, { says: 'unable to parse' }],
	['a field twice', `m f=2,f=1 ${t}`, 204, { stored: one }],
	['a backslash at the end of a tag', `m,k=a\\ f=1 ${t}`, 400, { says: 'unable to parse' }],
	['a backslash before the end of a line', `m,k=a f=1 ${t}\\\nn f=2 ${t}`, 400, { says: 'unable to parse' }],
	['escaped characters', `m\\ a\\,b,k=a\\ b\\,c\\=d f\\ k\\,x\\=y=1 ${t}`, 204, { stored: { 'm a,b f k,x=y': ['float', 1] } }],
	['quotes in names', `"m" "f"=1 ${t}`, 204, { stored: { '"m" "f"': ['float', 1] } }],
	['a blank in quotes', `"m x" f=1 ${t}`, 400, { says: 'unable to parse' }],
	['control characters in names', `m\u0007\0 f=1 ${t}`, 204, { stored: { 'm\u0007\0 f': ['float', 1] } }],
	['comments and empty lines', `\n# x\n  \n m f=1 ${t}\n\n#`, 204, { stored: one }],
	['an empty body', '', 204],
	['blanks and a tab before the time', `m  f=1 \t${t}  `, 204, { stored: one }],
	['a tab after the time', `m f=1 ${t}\t`, 400, { says: 'unable to parse' }],
	['a blank and a tab after the time', `m f=1 ${t} \t`, 400, { says: 'unable to parse' }],
	['a tab after the measurement', `m\tf=1 ${t}`, 400, { says: 'unable to parse' }],
	['no fields', `m ${t}`, 400, { says: 'unable to parse' }],
	['a blank after a comma', `m f=1, g=2 ${t}`, 400, { says: 'unable to parse' }],
	['no key', `m =1 ${t}`, 400, { says: 'unable to parse' }],
	['no value', `m f= ${t}`, 400, { says: 'missing field value' }],
	['no time', 'm f=1', 204, { stored: one }],
	['the time 0', 'm f=1 0', 204, { stored: one }],
	...['-', '+5', '1.5', '1e5', 'abc', '9223372036855', '-9223372036855', '99999999999999999999', `${t} 5`, `${t}i`].map(
		(time): Row => [`the time ${time}`, `m f=1 ${time}`, 400, { says: 'unable to parse' }],
	),
	['the first and the last millisecond', 'm f=1 9223372036854\nm f=1 -9223372036854\nm f=1 5', 204],
];

const conflicts: readonly Row[] = [
	[
		'an integer among stored floats',
		`m f=1i ${t + 1}\na f=2 ${t}`,
		422,
		{ earlier: `m f=1 ${t}`, stored: { ...one, 'a f': ['float', 2] }, says: conflict('integer', 'float') },
	],
	[
		'one of another tag set',
		`m,k=b f=1i ${t + 1}`,
		422,
		{ earlier: `m,k=a f=1 ${t}`, stored: one, says: conflict('integer', 'float') },
	],
	[
		'several types in one body',
		`m f=1 ${t}\nm f=1i ${t + 1}\nm f=2 ${t + 2}\nm f=3i ${t + 3}`,
		422,
		{ stored: { 'm f': ['float', 1, 2] }, says: conflict('integer', 'float', 2) },
	],
	['the whole line', `m f=1i,g=5 ${t + 1}`, 422, { earlier: `m f=1 ${t}`, stored: one, says: conflict('integer', 'float') }],
	['two types of one field in a line', `m f=1,f=2i ${t}`, 422, { says: conflict('integer', 'float') }],
	[
		'a field whose type a refused line gave',
		`m g=5,f=1i ${t + 1}\nm g=7i ${t + 2}`,
		422,
		{ earlier: `m f=1 ${t}`, stored: one, says: conflict('integer', 'float').slice(0, -1) },
	],
	[
		'an integer and an unsigned one',
		`m f=1i ${t}\nm f=1u ${t + 1}`,
		422,
		{ stored: { 'm f': ['integer', 1] }, says: conflict('unsigned', 'integer') },
	],
	['text among floats', `m f=1 ${t}\nm f="a" ${t + 1}`, 422, { stored: one, says: conflict('string', 'float') }],
	[
		'a boolean among integers',
		`m f=true ${t + 1}`,
		422,
		{ earlier: `m f=1i ${t}`, stored: { 'm f': ['integer', 1] }, says: conflict('boolean', 'integer') },
	],
	['another type in the next week', `m f=1i ${monday}`, 204, { earlier: `m f=1 ${monday - 1}` }],
	[
		'the same before Monday',
		`m f=1i ${monday - 1}`,
		422,
		{ earlier: `m f=1 ${monday - 2}`, stored: one, says: conflict('integer', 'float') },
	],
	[
		'another field and another measurement',
		`m g=1i ${t}\nn f=1i ${t}`,
		204,
		{ earlier: `m f=1 ${t}`, stored: { ...one, 'm g': ['integer', 1], 'n f': ['integer', 1] } },
	],
	[
		'samples beyond the retention',
		'm f=1,g=2 1\nm f=1 2\na f=5',
		422,
		{
			retentionMs: 400 * dayMs,
			stored: { 'a f': ['float', 5] },
			says: 'dropped 2 points outside retention policy of duration 9600h0m0s',
		},
	],
];

const requests: readonly Row[] = [
	...[`precision=ns&x=`, 'precision=', ''].map(
		(query): Row => [`the query ${query}`, `m f=1 ${t}000000`, 204, { query, stored: one }],
	),
	['the precision us', `m f=1 ${t}000`, 204, { query: 'precision=us', stored: one }],
	['the precision s', `m f=1 ${t / 1000}`, 204, { query: 'precision=s', stored: one }],
	...['n', 'u', 'm', 'h', 'NS', 'toString'].map(
		(unit): Row => [
			`the precision ${unit}`,
			'm f=1 1',
			400,
			{ query: `precision=${unit}`, says: 'invalid precision; valid precision units are ns, us, ms, and s' },
		],
	),
	['gzip', gzipSync(`m f=1 ${t}`), 204, { headers: { 'content-encoding': 'gzip' }, stored: one }],
	['x-gzip', gzipSync(`m f=1 ${t}`), 204, { headers: { 'content-encoding': 'x-gzip' }, stored: one }],
	['identity', `m f=1 ${t}`, 204, { headers: { 'content-encoding': 'identity' }, stored: one }],
	['no bucket', 'm f=1', 404, { path: '/api/v2/write?org=caudal&x=', says: 'bucket not found' }],
	['an unknown bucket', 'm f=1', 404, { path: '/api/v2/write?org=caudal&bucket=no', says: '" not found' }],
	['a wrong token', 'm f=1', 401, { headers: { authorization: 'Token x' }, says: 'unauthorized access' }],
	['no token', 'm f=1', 401, { headers: { authorization: '' }, says: 'unauthorized access' }],
	['a password', 'm f=1', 401, { headers: { authorization: 'Basic $basic' }, says: 'unauthorized access' }],
	['Bearer', `m f=1 ${t}`, 204, { headers: { authorization: 'Bearer $token' }, stored: one }],
	['1.x: a line', `m f=1 ${t}000000`, 204, { path: v1, query: '', stored: one }],
	['1.x: precision', `m f=1 ${t}`, 204, { path: v1, stored: one }],
	['1.x: the precision n', `m f=1 ${t}000000`, 204, { path: v1, query: 'precision=n', stored: one }],
	['1.x: a retention policy', `m f=1 ${t}`, 204, { path: `${v1}`, query: 'precision=ms&rp=autogen', stored: one }],
	['1.x: a password', `m f=1 ${t}`, 204, { path: v1, headers: { authorization: 'Basic $basic' }, stored: one }],
	['1.x: a user before the token', `m f=1 ${t}`, 204, { path: v1, headers: { authorization: 'Token any:$token' }, stored: one }],
	[
		'1.x: a password in the query',
		`m f=1 ${t}`,
		204,
		{ path: v1, query: 'precision=ms&u=any&p=$token', headers: { authorization: '' }, stored: one },
	],
	['1.x: a wrong one, before a right header', 'm f=1', 401, { path: v1, query: 'u=any&p=x', says: 'nauthorized' }],
	[
		'1.x: one without a user',
		'm f=1',
		401,
		{ path: v1, query: 'p=$token', headers: { authorization: '' }, says: 'unauthorized access' },
	],
	['1.x: a wrong token', 'm f=1', 401, { path: v1, headers: { authorization: 'Token any:x' }, says: 'nauthorized' }],
	['1.x: Bearer', 'm f=1', 401, { path: v1, headers: { authorization: 'Bearer $token' }, says: 'unauthorized access' }],
	['1.x: no database', 'm f=1', 400, { path: '/write?x=', says: 'missing db' }],
	['1.x: a bad line', `m f=NaN ${t}\na f=1 ${t}`, 400, { path: v1, says: 'unable to parse' }],
	[
		'1.x: another type',
		`m f=1i ${t + 1}`,
		422,
		{ path: v1, earlier: `m f=1 ${t}`, stored: one, says: conflict('integer', 'float') },
	],
];

const codes: Readonly<Record<number, string>> = {
	400: 'invalid',
	401: 'unauthorized',
	404: 'not found',
	422: 'unprocessable entity',
};

/** What InfluxDB 2.7 answers to writes, and what it stores, which the write API of one machine answers and stores as well. */
export function writeApiContract(name: string, open: () => Promise<OpenWriteApi>): void {
	describe(name, () => {
		let api: OpenWriteApi;
		beforeAll(async () => {
			api = await open();
		});
		afterAll(() => api.close());

		/** Returns each stored topic and field with its type and its values. */
		const storedIn = async (bucket: string) => {
			const { topics, newest, readSamples } = api.reads;
			const series = await newest(bucket, await topics(bucket, api.now()), api.now());
			const keys = series.map(({ topic, field }) => ({ topic, field, from: 0, to: api.now() }));
			const samples = await readSamples(bucket, keys);
			const values = samples.map((result) => ('fault' in result ? [] : result.flatMap(({ values: ofSource }) => [...ofSource])));
			return Object.fromEntries(
				series.map(({ topic, field, type }, index) => [`${topic} ${field}`, [type, ...(values[index] ?? [])]]),
			);
		};
		const withToken = (text: string): string =>
			text.replace('$token', api.token).replace('$basic', Buffer.from(`any:${api.token}`).toString('base64'));
		const write = (
			bucket: string,
			body: string | Buffer,
			{ path = '/api/v2/write?org=caudal&bucket=', query = 'precision=ms', headers = {} }: Case,
		) =>
			api.send({
				method: 'POST',
				target: `${path}${bucket}&${withToken(query)}`,
				headers: Object.fromEntries(
					Object.entries({ authorization: 'Token $token', ...headers }).map(([key, value]) => [key, withToken(value)]),
				),
				body,
			});

		describe.each<[string, readonly Row[]]>([
			['a line', lines],
			['a line beside others', conflicts],
			['a request', requests],
		])('%s', (_, rows) => {
			test.each(rows.map(([title, ...rest]) => ({ title, rest })))('$title', async ({ rest: [body, status, wanted = {}] }) => {
				const bucket = await api.newBucket(wanted.retentionMs);
				if (wanted.earlier !== undefined) expect(await write(bucket, wanted.earlier, {})).toMatchObject({ status: 204 });
				const answer = await write(bucket, body, wanted);
				expect([answer.status, answer.text]).toEqual([status, status === 204 ? '' : expect.any(String)]);
				if (status !== 204) {
					const { code, message } = JSON.parse(answer.text);
					expect(code).toBe(codes[status]);
					expect(message).toContain(wanted.says);
				}
				// Samples at the ends of time and of several types are read by other suites.
				if (status === 204 && wanted.stored === undefined && body !== '') return;
				expect(await storedIn(bucket)).toEqual(wanted.stored ?? {});
			});
		});
	});
}
