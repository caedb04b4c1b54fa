import { lineFunctions } from '#domain/board/line.ts';
import { maxBodyBytes } from '#http/request.ts';
import type { EndpointName } from '#shared/contract.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '../builders/builders.ts';

/** A field of an endpoint's body that is filled with something hostile. The rest of the body is valid. */
export interface Target {
	readonly endpoint: EndpointName;
	readonly field: string;
	/** A valid body. */
	readonly body: Readonly<Record<string, unknown>>;
	/** A valid item of the field, or any value where the field is no list. */
	readonly item: unknown;
}

const credentials = { email: 'a@plant.example', tokenApp: 't', schemaName: 's', tsdb_name: 'd' };
const code = { provider: 'entra', code: 'c', codeVerifier: 'v'.repeat(43), nonce: 'n'.repeat(43) };
const pump = { id: 1, name: 'P', varId: 1, type: 'pump' };
const place = { varId: 1, x: 0, y: 1 };
const alarm = { id: 0, name: 'A', varId: 1, condition: '>', threshold: 1, severity: 'info', message: 'm' };

/** Every list, map and text that a body can hold, and every endpoint that only skips its body. */
export const targets: readonly Target[] = [
	{ endpoint: 'loginSso', field: 'email', body: credentials, item: 'x' },
	{ endpoint: 'saveVariable', field: 'equation', body: makeCalculatedBody('a + b'), item: { value: 'a', type: 'variable' } },
	{ endpoint: 'saveVariable', field: 'varsTsdb', body: makeCalculatedBody('a + b'), item: makeQuery() },
	{ endpoint: 'saveVariable', field: 'bits', body: makeBitsBody(), item: { id: 1, name: 'b', bit: 1 } },
	{ endpoint: 'saveVariable', field: 'name', body: makeBody(), item: 'x' },
	{ endpoint: 'describeTopics', field: 'topics', body: {}, item: { topic: 't', field: 'f' } },
	{ endpoint: 'multipleDataTsdb', field: 'ids', body: {}, item: 1 },
	{ endpoint: 'history', field: 'ids', body: { start: 0 }, item: 1 },
	{ endpoint: 'history', field: 'aggregates', body: { ids: [1], start: 0 }, item: 'own' },
	{ endpoint: 'history', field: 'timeZone', body: { ids: [1], start: 0 }, item: 'UTC' },
	{ endpoint: 'history', field: 'period', body: { ids: [1], start: 0 }, item: { count: 1, unit: 'h' } },
	{ endpoint: 'totals', field: 'lines', body: { start: 0 }, item: { key: 'a', varId: 1, function: 'mean', holdSeconds: 60 } },
	{
		endpoint: 'totals',
		field: 'lines',
		body: { start: 0 },
		item: { key: 'a', function: 'formula', equation: [{ value: '1', type: 'number' }] },
	},
	{
		endpoint: 'saveCorrection',
		field: 'reason',
		body: { id: 0, varId: 1, type: 'exclude', from: 1.7e12, to: 1.71e12 },
		item: 'x',
	},
	{
		endpoint: 'saveReport',
		field: 'lines',
		body: { id: 0, title: 'T' },
		item: { key: 'a', name: 'A', unit: '', varId: 1, function: 'mean', holdSeconds: 60 },
	},
	{
		endpoint: 'saveEntry',
		field: 'reason',
		body: { id: 0, reportId: 1, key: 'k', from: '2026-10-01', to: '2026-10-31', value: 1 },
		item: 'x',
	},
	{ endpoint: 'readReport', field: 'period', body: { id: 1, start: 0 }, item: 'day' },
	{ endpoint: 'sealReportDays', field: 'reason', body: { id: 1, from: '2026-11-20', to: '2026-11-20' }, item: 'x' },
	{ endpoint: 'saveBombs', field: 'pumps', body: { title: 'T' }, item: pump },
	{ endpoint: 'saveBombs', field: 'states', body: { title: 'T' }, item: { ...pump, type: 'status' } },
	{ endpoint: 'saveChart', field: 'series', body: { id: 0, title: 'T' }, item: { varId: 1 } },
	{ endpoint: 'saveDiagram', field: 'items', body: { id: 0, title: 'T' }, item: place },
	{ endpoint: 'saveAlarm', field: 'message', body: alarm, item: 'x' },
	{ endpoint: 'ackAlarms', field: 'alarms', body: {}, item: { id: 7, occurrence: 1 } },
	{ endpoint: 'ackAlarms', field: 'comment', body: { alarms: [{ id: 7, occurrence: 1 }] }, item: 'x' },
	{ endpoint: 'shelveAlarm', field: 'reason', body: { minutes: 1 }, item: 'x' },
	{ endpoint: 'savePerson', field: 'email', body: { role: 'viewer' }, item: 'x' },
	{ endpoint: 'saveMachine', field: 'name', body: { role: 'viewer' }, item: 'x' },
	{ endpoint: 'restoreItem', field: 'kind', body: { itemId: 7, rowVersion: 1 }, item: 'chart' },
	{ endpoint: 'signInOpenId', field: 'code', body: code, item: 'x' },
	{ endpoint: 'signInOpenId', field: 'codeVerifier', body: code, item: 'x' },
	{ endpoint: 'renewOpenId', field: 'schemaName', body: {}, item: 'x' },
	{ endpoint: 'signOut', field: 'any', body: {}, item: 1 },
	{ endpoint: 'backchannelLogout', field: 'any', body: {}, item: 1 },
	{ endpoint: 'renewToken', field: 'any', body: {}, item: 1 },
	{ endpoint: 'unshelveAlarm', field: 'any', body: {}, item: 1 },
	{ endpoint: 'token', field: 'any', body: {}, item: 1 },
	{ endpoint: 'deleteMachine', field: 'any', body: {}, item: 1 },
	{ endpoint: 'deleteVar', field: 'any', body: {}, item: 1 },
	{ endpoint: 'deleteChart', field: 'any', body: {}, item: 1 },
	{ endpoint: 'deleteCorrection', field: 'any', body: {}, item: 1 },
	{ endpoint: 'deleteReport', field: 'any', body: {}, item: 1 },
	{ endpoint: 'deleteEntry', field: 'any', body: {}, item: 1 },
	{ endpoint: 'deleteDiagram', field: 'any', body: {}, item: 1 },
	{ endpoint: 'deleteAlarm', field: 'any', body: {}, item: 1 },
];

/** Bytes that a shape may fill. The rest of a body and the fields around it need less than what is left. */
const room = maxBodyBytes - 8192;

const times = (count: number, text: string): string => Array(count).fill(text).join(',');
const listOf = (item: string): string => `[${times(Math.floor(room / (item.length + 1)), item)}]`;
const text = (unit: string): string => `"${unit.repeat(Math.floor(room / Buffer.byteLength(unit)))}"`;
const objectOf = (count: number, key: (index: number) => string, value: string): string =>
	`{${Array.from({ length: count }, (_, index) => `"${key(index)}":${value}`).join(',')}}`;
const nested = (open: string, close: string): string => {
	const depth = Math.floor(room / (open.length + close.length)) - 1;
	return `${open.repeat(depth)}0${close.repeat(depth)}`;
};
const wrong = '{"id":"x","varId":-1,"name":"","bit":9,"type":"?","value":1,"x":2,"y":-1,"calc_time":0}';
const long = 'v'.repeat(3900);

/** What the field holds, by the name of the shape. */
const values: Readonly<Record<string, (item: string) => string>> = {
	'a list of {}': () => listOf('{}'),
	'a list of null': () => listOf('null'),
	'a list of numbers': () => listOf('0'),
	'a list of numbers that are too large': () => listOf('1e999'),
	'a list of texts': () => listOf('""'),
	'a list of lists': () => listOf('[]'),
	'a list of valid items': listOf,
	'a list of items that are wrong in every field': () => listOf(wrong),
	'128 items with long values': () => `[${times(128, `{"value":"${long}","type":"${long}"}`)}]`,
	'500 items with long texts': (item) => {
		const longTexts = { name: long.slice(0, 900), label: long.slice(0, 900) };
		return `[${times(500, JSON.stringify(Object.assign({}, JSON.parse(item), longTexts)))}]`;
	},
	'40 lines of every function with all other fields': (item) => {
		const lineCount = 40;
		// A token takes up to 40 bytes of JSON.
		const tokensPerLine = Math.floor(room / lineCount / 40);
		const equation = Array.from({ length: tokensPerLine }, (_, index) => ({
			value: index % 2 === 0 ? 'a' : '+',
			type: 'variable',
		}));
		const others = {
			topic: 7,
			varId: 1,
			bit: 7,
			per: 'h',
			holdSeconds: 60,
			above: 0,
			range: [0, 1],
			counter: { size: 9 },
			equation,
		};
		const lines = Array.from({ length: lineCount }, (_, index) => ({
			...Object.assign({}, JSON.parse(item)),
			...others,
			key: `k${index}`,
			function: lineFunctions[index % lineFunctions.length],
		}));
		return JSON.stringify(lines);
	},
	'500 bad items beside a long text': () => `[${times(500, '{}')}],"pad":${text('x').slice(0, -4096)}"`,
	'1000 bad items in a body that is not full': () => `[${times(1000, wrong)}]`,
	'a list nested deeply': () => nested('[', ']'),
	'an object nested deeply': () => nested('{"a":', '}'),
	'a list that never ends': () => '['.repeat(room),
	'a text of 1 MB': () => text('x'),
	'a text of emoji': () => text('😀'),
	'a text of escaped zeros': () => text('\\u0000'),
	'a text of half surrogate pairs': () => text('\\ud83d'),
	'a text that never ends': () => text('x').slice(0, -1),
	'a number of a million digits': () => '9'.repeat(room),
	'an object of 60,000 keys': () => objectOf(60_000, (index) => `key${index}`, '{}'),
	'an object of 80,000 numbers as keys': () => objectOf(80_000, (index) => `${index * 7}`, '{}'),
	'an object of one key many times': () => objectOf(60_000, () => '__proto__', '{}'),
	'an object of 100 long keys': () => objectOf(100, (index) => `${'\\u0001'.repeat(1700)}${index}`, '{}'),
	'an object of one key of 1 MB': () => `{${text('k')}:{}}`,
	'100,000 unknown fields': () => `0,${objectOf(100_000, (index) => `k${index.toString(36)}`, '0').slice(1, -1)}`,
};

/** The names of the shapes. */
export const shapes: readonly string[] = Object.keys(values);

/** The last value that was built: most shapes are the same for every target, and take longer to build than to be refused. */
let built = { shape: '', item: '', value: '' };

/** Returns a hostile body of at most 1 MB. It is quickest for one shape after another. */
export const hostileBody = ({ body, field, item: example }: Target, shape: string): string => {
	const [fill, item] = [values[shape], JSON.stringify(example)];
	if (fill === undefined) throw new RangeError(`There is no shape ${shape}.`);
	const isSame = built.shape === shape && (fill.length === 0 || built.item === item);
	if (!isSame) built = { shape, item, value: fill(item) };
	const { [field]: _filled, ...rest } = body;
	const start = JSON.stringify(rest).slice(0, -1);
	return `${start}${start === '{' ? '' : ','}"${field}":${built.value}}`;
};
