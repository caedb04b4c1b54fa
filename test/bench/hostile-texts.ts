import { changeQuestionOf } from '#http/change-page.ts';
import { clientCredentialsOf, maxFormBytes } from '#http/client-credentials.ts';
import { ifMatchOf } from '#http/etag.ts';
import type { ApiEvent } from '#http/event.ts';
import { eventPageRequestOf } from '#http/event-page.ts';
import { checkIdempotencyKey } from '#http/idempotent.ts';
import { acceptsGzip, bodyOf, readsAnew } from '#http/request.ts';
import { topicQuestionOf } from '#http/topic-page.ts';
import { sourceOf } from '#http/trusted-proxy.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { type BenchRow, sizeOf } from './row.ts';

/** What a parser may take: a multiple of JSON.parse of a JSON text of the same bytes, and what any request takes (test/bench/README.md#budgets). */
const maxRatio = 2;
const requestMs = 5;

/** More than API Gateway takes of a request line and headers (10,240 bytes): what Node's server takes. */
const bytes = sizeOf(maxFormBytes, 1024);

/** Repeats the texts that `part` returns for 0, 1, 2 …, up to `bytes`. */
const filled = (part: (index: number) => string): string => {
	let text = '';
	for (let index = 0; text.length < bytes; index += 1) text += part(index);
	return text.slice(0, bytes);
};

const shapes: Readonly<Record<string, string>> = {
	'names without a value': filled((index) => `p${index}&`),
	'one name many times': filled(() => 'after=1&'),
	'a known name many times, behind others': filled((index) => (index < 1500 ? `p${index}&` : 'limit=1&')),
	'nearly known names': filled((index) => `limi${index % 10}=1&`),
	'percent signs': filled(() => '%'),
	'encoded zeros': filled(() => '%00'),
	'separators alone': filled(() => '&=;, '),
	'quotes and backslashes': filled(() => '\\"'),
	blanks: `a${filled(() => ' ').slice(2)}a`,
	'one letter': filled(() => 'A'),
	'nested brackets': filled(() => '[{('),
	'tags of versions': filled(() => '"1",'),
	addresses: filled((index) => `10.0.${index % 256}.1, `),
};

const header = (name: string) => (text: string) => makeEvent('POST /saveChart', { headers: { [name]: text } });
const query = (text: string): ApiEvent => ({ ...makeEvent('GET /changes', { query: { after: text } }), rawQueryString: text });
const form = (text: string, headers: Readonly<Record<string, string>> = {}) =>
	makeEvent('POST /token', { body: text, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } });
const proxy = { header: 'x-proxy', hops: 1, isSecret: async () => true };

/** Each parser of texts that clients send beside JSON bodies, by what it parses. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
	'form of token': (text) => clientCredentialsOf(form(text)),
	'Authorization: Basic': (text) =>
		clientCredentialsOf(
			form('grant_type=client_credentials', { authorization: `Basic ${Buffer.from(text).toString('base64')}` }),
		),
	'query and cursor of changes': (text) => changeQuestionOf(query(text), { readsAccess: true, now: 0 }),
	'query and cursor of alarm events': (text) => eventPageRequestOf(query(text), 0),
	'query and cursor of topics': (text) => topicQuestionOf(query(text)),
	'If-Match': (text) => ifMatchOf(header('if-match')(text)),
	'Idempotency-Key': (text) => checkIdempotencyKey(header('idempotency-key')(text)),
	'Accept-Encoding': (text) => acceptsGzip(header('accept-encoding')(text)),
	'Cache-Control': (text) => readsAnew(header('cache-control')(text)),
	'Content-Type': (text) => bodyOf(makeEvent('POST /saveChart', { body: '{}', headers: { 'content-type': text } })),
	'X-Forwarded-For': (text) =>
		sourceOf(makeEvent('POST /loginSso', { headers: { 'x-proxy': 's', 'x-forwarded-for': text } }), proxy),
};

/** Returns the least CPU time of some runs in milliseconds. A refusal is an answer, too. */
const cpuMsOf = async (work: () => unknown): Promise<number> => {
	let least = Number.POSITIVE_INFINITY;
	for (let run = 0; run < 5; run += 1) {
		const start = process.cpuUsage();
		await Promise.resolve()
			.then(work)
			.catch(() => undefined);
		const { user, system } = process.cpuUsage(start);
		least = Math.min(least, (user + system) / 1000);
	}
	return least;
};

/** Compares what parsers of forms, queries, headers and cursors take for hostile texts with JSON.parse of the same bytes: the worst. */
export const benchHostileTexts = async (): Promise<readonly BenchRow[]> => {
	const results = [];
	for (const [parser, parse] of Object.entries(parsers))
		for (const [shape, text] of Object.entries(shapes)) {
			const json = JSON.stringify(text);
			const parseMs = await cpuMsOf(() => JSON.parse(json));
			results.push({ name: `${parser}, ${shape}`, ms: await cpuMsOf(() => parse(text)), parseMs });
		}
	const [worst] = results.sort((a, b) => b.ms - a.ms);
	if (worst === undefined) throw new RangeError('There are no results.');
	return [
		{
			name: `hostile texts of 16 KB (${results.length}), CPU: ${worst.name}`,
			baseline: 'JSON.parse of the same bytes',
			measured: `${worst.ms.toFixed(2)} against ${worst.parseMs.toFixed(2)} ms`,
			ratio: worst.ms / worst.parseMs,
			budget: `at most ${maxRatio}x and ${requestMs} ms`,
			met: worst.ms <= maxRatio * worst.parseMs + requestMs,
		},
	];
};
