import { describe, expect, test } from 'vitest';
import {
	at,
	databaseA,
	databaseB,
	days,
	noon,
	ns,
	type SampleText,
	type sampleWriter,
	unusualNames,
} from './time-series/feed.ts';

/** Asks a port for the samples of a field from one time on, before another one. */
export interface Question {
	readonly topic: string;
	readonly field: string;
	readonly from: number;
}

/** What a port tells of the newest sample of a question: its value, why it has none, or null without samples. */
export type Told = number | string | null;

/** One way to ask a port. `to` is the end of every question. */
export type Ask = (database: string, questions: readonly Question[], to: number) => Promise<readonly Told[]>;

/** How an adapter reads a database that does not exist. */
export type AbsentDatabase = 'empty' | 'fault';

/** Options of the rules of a port. */
export interface SampleRulesOptions {
	readonly absentDatabase: AbsentDatabase;
	/** The ways that read the newest sample alone, so that they do not see the types of others. */
	readonly newestOnly?: readonly string[];
}

const [start, end] = [noon - 3_600_000, noon];
/** The week before the last one: InfluxDB has one type for each field in a week, from Thursday to Thursday. */
const longAgo = at('2024-03-06T11:30:00Z');
const recently = at('2024-03-15T11:30:00Z');
const tenDaysAgo = noon - days(10).ms;

/** Values as line protocol writes them, and what ports tell of them. */
const values: readonly (readonly [written: string, told: Told])[] = [
	['-12.75', -12.75],
	['0', 0],
	['1e300', 1e300],
	['5e-324', 5e-324],
	['-7i', -7],
	['0i', 0],
	['9007199254740992i', 2 ** 53],
	['9007199254740993i', 'precision'],
	['-9007199254740993i', 'precision'],
	['7u', 7],
	['18446744073709551615u', 'precision'],
	['true', 1],
	['false', 0],
	['"29"', 'not_numeric'],
	['""', 'not_numeric'],
];

/**
 * Defines the rules that hold for every port that reads samples, and for each of its ways to read: which samples are in a range, what each
 * type becomes, and that nothing of one database, topic, field or key shows in another.
 */
export const sampleRules = (
	{ newTopic, write }: ReturnType<typeof sampleWriter>,
	ways: Readonly<Record<string, Ask>>,
	{ absentDatabase, newestOnly = [] }: SampleRulesOptions,
): void => {
	/**
	 * Asks in one call for series by a label of each, and expects the same of every way, twice: an adapter that learns types asks otherwise
	 * the second time.
	 */
	const expectTold = async (
		asked: Readonly<Record<string, Partial<Question>>>,
		expected: (way: string) => Readonly<Record<string, Told>>,
		{ from = start, to = end, database = databaseA, by = Object.entries(ways) } = {},
	): Promise<void> => {
		const questions = Object.values(asked).map((each) => ({ topic: 'absent', field: 'value', from, ...each }));
		for (const [way, ask] of by)
			for (const types of ['types unknown', 'types known']) {
				const told = await ask(database, questions, to);
				expect(told).toHaveLength(questions.length);
				const labelled = Object.fromEntries(Object.keys(asked).map((label, index) => [label, told[index]]));
				expect(labelled, `${way}, ${types}`).toEqual(expected(way));
			}
	};
	/** Writes samples to new topics, and returns these by the same labels. */
	const writeEach = async <Label extends string>(samples: Readonly<Record<Label, readonly SampleText[]>>) => {
		const asked: Record<string, Partial<Question>> = {};
		for (const [label, each] of Object.entries<readonly SampleText[]>(samples)) {
			const topic = newTopic();
			// One by one: a later write of one instant replaces an earlier one.
			for (const sample of each) await write(topic, [sample]);
			asked[label] = { topic };
		}
		return asked;
	};

	describe('rules of samples', () => {
		test(`reads a database that does not exist as ${absentDatabase === 'empty' ? 'empty' : 'a fault'}`, async () => {
			for (const [way, ask] of Object.entries(ways)) {
				const told = ask('contract_absent', [{ topic: 'absent', field: 'value', from: start }], end);
				if (absentDatabase === 'empty') expect(await told, way).toEqual([null]);
				else await expect(told, way).rejects.toMatchObject({ code: 'dependency_failed', payload: { dependency: 'tsdb' } });
			}
		});

		test('reads a topic or a field without samples as empty, and no keys', async () => {
			const { one } = await writeEach({ one: [[ns(recently), '1']] });
			await expectTold({ topic: {}, field: { ...one, field: 'absent' } }, () => ({ topic: null, field: null }));
			await expectTold({}, () => ({}));
		});

		test('holds the samples from the start of a range to the nanosecond before its end', async () => {
			const asked = await writeEach({
				'a nanosecond before the start': [[ns(start, -1n), '7']],
				'at the start': [[ns(start), '7']],
				'a nanosecond before the end': [[ns(end, -1n), '7']],
				'at the end': [[ns(end), '7']],
			});
			await expectTold(asked, () => ({
				'a nanosecond before the start': null,
				'at the start': 7,
				'a nanosecond before the end': 7,
				'at the end': null,
			}));
		});

		test('reads values of every type', async () => {
			const asked = await writeEach(Object.fromEntries(values.map(([written]) => [written, [[ns(recently), written]]])));
			// A mean is computed with fractions, which do not tell 2^53 from 2^53 + 1.
			const told = (way: string, each: Told) => (each === 2 ** 53 && /mean|all kinds/.test(way) ? 'precision' : each);
			await expectTold(asked, (way) => Object.fromEntries(values.map(([written, each]) => [written, told(way, each)])));
		});

		test('reads the later write of one instant', async () => {
			await expectTold(await writeEach({ one: ['1', '3', '2'].map((value) => [ns(recently), value]) }), () => ({ one: 2 }));
		});

		test('separates databases, topics and fields', async () => {
			const [topic, time] = [newTopic(), ns(recently)];
			await write(topic, [[time, '1']]);
			await write(topic, [[time, '2']], databaseB);
			await write(topic, [[time, '"text"']], databaseA, 'other');
			await write(`${topic}/x`, [[time, '3']]);
			await expectTold({ one: { topic } }, () => ({ one: 1 }));
			await expectTold({ one: { topic } }, () => ({ one: 2 }), { database: databaseB });
			const others = { field: { topic, field: 'other' }, topic: { topic: `${topic}/x` } };
			await expectTold(others, () => ({ field: 'not_numeric', topic: 3 }));
		});

		test('reads topics and fields with unusual names', async () => {
			for (const [index, name] of unusualNames.entries()) await write(name, [[ns(recently), `${index}`]], databaseA, name);
			const asked = Object.fromEntries(unusualNames.map((name) => [`named ${name}`, { topic: name, field: name }]));
			await expectTold(asked, () => Object.fromEntries(unusualNames.map((name, index) => [`named ${name}`, index])));
		});

		test('reads more series than fit into one stream, in the order of the keys, each over its own range', async () => {
			const labels = Array.from({ length: 45 }, (_, index) => `number ${index}`);
			const samples = labels.map((label, index) => [label, [[ns(start - 30_000), `${index}`]]] as const);
			const topics = Object.entries(await writeEach(Object.fromEntries(samples)));
			// Every other range begins before the sample.
			const asked = topics.map(([label, each], index) => [label, { ...each, from: start - (index % 2) * 60_000 }] as const);
			const told = labels.map((label, index) => [label, index % 2 === 1 ? index : null] as const);
			// The last way asks for everything at once.
			const by = Object.entries(ways).slice(-1);
			await expectTold(
				{ absent: {}, ...Object.fromEntries(asked), again: asked[7]?.[1] ?? {} },
				() => ({ absent: null, ...Object.fromEntries(told), again: 7 }),
				{ by },
			);
		});

		test('reads a type that changed as a fault of the range with both, beside others', async () => {
			const told = {
				'true to 2': 2,
				'true to 2i': 2,
				'1 to true': 1,
				'1u to true': 1,
				'"a" to 2': 2,
				'1 to "b"': 'not_numeric',
			};
			const changed = await writeEach(samplesOf(told));
			const asked = { ...changed, ...(await writeEach({ unchanged: [[ns(recently), '5']] })) };
			const faults = Object.fromEntries(Object.keys(told).map((label) => [label, 'type_changed']));
			const expected = (way: string) => ({ ...(newestOnly.includes(way) ? told : faults), unchanged: 5 });
			await expectTold(asked, expected, { from: tenDaysAgo });
			await expectTold(changed, () => told);
		});

		test('reads numbers whose type or size changed together', async () => {
			const older = { '1 to 2i': 1, '1i to 2': 1, '1i to 2u': 1, '1u to 2': 1, '9007199254740993i to 2i': 'precision' };
			const asked = await writeEach(samplesOf(older));
			const newer = Object.fromEntries(Object.keys(older).map((label) => [label, 2]));
			await expectTold(asked, () => newer, { from: tenDaysAgo });
			await expectTold(asked, () => older, { from: tenDaysAgo, to: at('2024-03-10T00:00:00Z') });
		});
	});
};

/** A value long ago, and one of another type recently. */
const changing = (old: string, recent: string): readonly SampleText[] => [
	[ns(longAgo), old],
	[ns(recently), recent],
];
const samplesOf = (labels: Readonly<Record<string, Told>>) =>
	Object.fromEntries(
		Object.keys(labels).map((label) => [label, changing(label.split(' to ')[0] ?? '', label.split(' to ')[1] ?? '')]),
	);
