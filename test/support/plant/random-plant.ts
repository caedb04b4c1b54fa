import * as v from 'valibot';
import type { Random } from '#test/support/alarms/random.ts';

const answerSchema = v.looseObject({ data: v.optional(v.object({ id: v.optional(v.number(), 0) })) });

/** The topics that hold samples. */
export const plantTopics = ['plant/a', 'plant/b', 'plant/c'] as const;

type Body = Record<string, unknown>;

/** A plant as bodies of saves, with references to variables by their position in `variables`. */
export interface RandomPlant {
	readonly variables: readonly Body[];
	readonly boards: readonly { readonly kind: 'Chart' | 'Diagram' | 'Report' | 'Alarm'; readonly body: Body }[];
	readonly panel: Body | null;
}

/** Names that are hard to write, to read or to sort. No two are the same in the normal form C. */
const awkward = [
	'Pump #2',
	'Pump #',
	'Pump ##2',
	'#7',
	'__proto__',
	'constructor',
	'12',
	'"quoted"',
	'back\\slash',
	'\u2068isolated\u2069',
	'{braced}',
	'e\u0301tat',
	'\u212bngström',
	'\ufb03',
	'🌊 wave',
	'ｗide',
	'Ünïcode',
	' outer blanks ',
	'\u00a0x',
	'null',
	'𝒜',
	'\uffee',
	'a.b[0]',
	'zwj\u200d',
];

/** How names repeat. `hasEqualNames`: several items of a kind may have one name. */
interface NameOptions {
	readonly hasEqualNames: boolean;
}

/** Returns a function that gives the next name of a kind. The service trims the names of variables only. */
const namer = (random: Random, { hasEqualNames }: NameOptions) => {
	const used = new Set<string>();
	return (prefix: string, { isTrimmed = false } = {}): string => {
		if (hasEqualNames && used.size > 0 && random.chance(0.4)) return random.pick([...used]);
		const plain = random.chance(0.5) ? random.pick(awkward) : `${prefix} ${random.integer(1, 99)}`;
		const name = isTrimmed ? plain.trim() : plain;
		const free = used.has(name.normalize('NFC')) ? `${name} ${prefix}${used.size}` : name;
		used.add(free.normalize('NFC'));
		return free;
	};
};

const queryOf = (random: Random): Body => ({
	calc_topic: random.pick([...plantTopics, 'plant/e\u0301', 'nowhere']),
	calc_field: 'value',
	calc_time: random.integer(1, 3),
	[random.chance(0.5) ? 'calc_unit' : 'calc_unit_topic']: 'h',
	calc_period: random.pick([1, 5, 10]),
	calc_unit_period: 'm',
	calc_type_period: random.pick(['last', 'mean']),
	...(random.chance(0.3) ? { calc_tags: { site: random.pick(['a', 'b']), constructor: '' } } : {}),
});

const formulaOf = (random: Random): { readonly equation: readonly Body[]; readonly varsTsdb: Body } => {
	const names = random.pick([['a'], ['b b', 'a'], ['{x}', 'y'], ['__proto__', 'Z', 'a'], ['é', 'e\u0301']]);
	const token = (type: string, value: string): Body => ({ type, value });
	const number = token('number', random.pick(['2', '0.50', '-3e1', '+.5', '1e-3', '007']));
	const equation = names.flatMap((name, index) => [
		...(index === 0 ? [] : [token('operator', random.pick(['+', '-', '*']))]),
		token('variable', name),
	]);
	const whole = random.pick([
		[...equation, token('operator', '*'), number],
		[token('operator', '('), ...equation, token('operator', ')'), token('operator', '/'), number],
		[token('operator', '-'), ...equation],
	]);
	return { equation: whole, varsTsdb: Object.fromEntries(names.map((name) => [name, queryOf(random)])) };
};

const variableOf = (random: Random, name: string): Body => {
	const common = {
		id: 0,
		name,
		unit: random.pick(['', 'm³/h', 'L/s']),
		type: 'last',
		process: random.pick(['pumping', 'intake']),
	};
	if (random.chance(0.3)) return { ...common, calc: true, binary_compressed: false, ...formulaOf(random) };
	const varsTsdb = Object.fromEntries([[name, queryOf(random)]]);
	if (random.chance(0.7)) return { ...common, calc: false, binary_compressed: false, varsTsdb };
	const bits = [0, 3, 7].map((bit) => ({ id: bit + 1, name: `bit ${bit}`, bit }));
	const [query] = Object.values(varsTsdb);
	return {
		...common,
		calc: false,
		binary_compressed: true,
		bits,
		varsTsdb: Object.fromEntries([[name, { ...(query as Body), calc_type_period: 'last' }]]),
	};
};

/** Makes a plant with every kind. */
export const randomPlant = (random: Random, options: NameOptions = { hasEqualNames: false }): RandomPlant => {
	const variableName = namer(random, options);
	const variables = Array.from({ length: random.integer(2, 6) }, () =>
		variableOf(random, variableName('Variable', { isTrimmed: true })),
	);
	const varId = (): number => random.integer(0, variables.length - 1);
	const reference = (): Body => {
		const position = varId();
		const isByte = variables[position]?.['binary_compressed'] === true;
		return { varId: position, ...(isByte && random.chance(0.7) ? { bit: random.pick([0, 3, 7]) } : {}) };
	};
	const chartName = namer(random, options);
	const chart = (): Body => ({
		id: 0,
		title: chartName('Chart'),
		series: Array.from({ length: random.integer(0, 3) }, () => ({
			varId: varId(),
			...(random.chance(0.5) ? { label: random.pick(awkward) } : {}),
			...(random.chance(0.3) ? { color: '#aabbcc' } : {}),
		})),
	});
	const diagramName = namer(random, options);
	const diagram = (): Body => ({
		id: 0,
		title: diagramName('Diagram'),
		...(random.chance(0.5) ? { ratio: 1.5, background: '<svg xmlns="http://www.w3.org/2000/svg"/>' } : {}),
		items: Array.from({ length: random.integer(0, 3) }, () => ({ ...reference(), x: 0.5, y: random.integer(0, 10) / 10 })),
	});
	const reportName = namer(random, options);
	const report = (): Body => ({
		id: 0,
		title: reportName('Report'),
		...(random.chance(0.5) ? { timeZone: 'Europe/Madrid', dayStart: '06:00', send: true } : {}),
		lines: [
			{ key: 'mean {1}', name: 'Mean', unit: 'm', function: 'mean', varId: varId(), holdSeconds: 600 },
			{ key: 'starts', name: 'Raised', unit: '', function: 'raised', ...(random.chance(0.5) ? { severity: 'critical' } : {}) },
			{
				key: 'sum',
				name: 'Sum',
				unit: '',
				function: 'formula',
				equation: [
					{ type: 'variable', value: 'mean {1}' },
					{ type: 'operator', value: '*' },
					{ type: 'number', value: '2.0' },
				],
			},
		],
	});
	const alarmName = namer(random, options);
	const alarm = (): Body => {
		const watched = reference();
		return {
			id: 0,
			name: alarmName('Alarm'),
			...watched,
			condition: random.pick(['>', '<', '>=']),
			threshold: random.integer(0, 40),
			severity: random.pick(['info', 'warning', 'critical']),
			message: random.pick(awkward),
			...(random.chance(0.3) && watched['bit'] === undefined ? { deadband: 1 } : {}),
			...(random.chance(0.3) ? { onDelaySeconds: 60, offDelaySeconds: 30 } : {}),
			...(random.chance(0.2) ? { enabled: false, noDataSeconds: 0 } : {}),
		};
	};
	const several = <Item>(make: () => Item): readonly Item[] => Array.from({ length: random.integer(0, 3) }, make);
	return {
		variables,
		boards: [
			...several(chart).map((body) => ({ kind: 'Chart' as const, body })),
			...several(diagram).map((body) => ({ kind: 'Diagram' as const, body })),
			...several(report).map((body) => ({ kind: 'Report' as const, body })),
			...several(alarm).map((body) => ({ kind: 'Alarm' as const, body })),
		],
		panel: random.chance(0.7)
			? {
					title: random.pick(awkward),
					pumps: [{ id: 5, name: 'P', type: 'pump', ...reference() }],
					states: [{ id: 1, name: 'S', type: 'status', ...reference() }],
				}
			: null,
	};
};

/** Returns a body with the ids of variables in place of their positions. */
const withIds = (body: unknown, ids: readonly number[]): unknown => {
	if (Array.isArray(body)) return body.map((item) => withIds(item, ids));
	if (typeof body !== 'object' || body === null) return body;
	return Object.fromEntries(
		Object.entries(body).map(([key, value]) => [key, key === 'varId' ? ids[value as number] : withIds(value, ids)]),
	);
};

/** Saves a plant through the API, its variables in an order of chance, as people would. */
export const savePlant = async (
	call: (request: Request) => Promise<Response>,
	{ variables, boards, panel }: RandomPlant,
	random: Random,
): Promise<void> => {
	const post = async (path: string, body: unknown): Promise<number> => {
		const response = await call(
			new Request(`http://plant.invalid${path}`, {
				method: 'POST',
				body: JSON.stringify(body),
				headers: { 'content-type': 'application/json' },
			}),
		);
		const answer = v.parse(answerSchema, await response.json());
		if (!response.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
		return answer.data?.id ?? 0;
	};
	const ids: number[] = [];
	const order = variables.map((_, index) => index).toSorted(() => (random.chance(0.5) ? 1 : -1));
	for (const index of order) ids[index] = await post('/saveVariable', variables[index]);
	for (const { kind, body } of boards) await post(`/save${kind}`, withIds(body, ids));
	if (panel !== null) await post('/bombs', withIds(panel, ids));
};
