import { describe, expect, test } from 'vitest';
import { at, databaseA, databaseB, days, noon, ns, type sampleWriter, unusualNames } from './time-series/feed.ts';

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
/** Weeks before the others: InfluxDB has one type for each field in a week. */
const longAgo = at('2024-02-15T11:30:00Z');
const recently = at('2024-03-15T11:30:00Z');
const sixtyDaysAgo = noon - days(60).ms;

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
	/** Expects the same of every way, twice: an adapter that learns types asks otherwise the second time. */
	const expectTold = async (
		topics: readonly (string | Partial<Question>)[],
		expected: readonly Told[] | ((way: string) => readonly Told[]),
		{ from = start, to = end, database = databaseA } = {},
	): Promise<void> => {
		const questions = topics.map((each) => ({
			...{ topic: '', field: 'value', from },
			...(typeof each === 'string' ? { topic: each } : each),
		}));
		for (const [way, ask] of Object.entries(ways))
			for (const types of ['types unknown', 'types known'])
				expect(await ask(database, questions, to), `${way}, ${types}`).toEqual(
					typeof expected === 'function' ? expected(way) : expected,
				);
	};
	/** Writes a value long ago and one of another type recently, and returns the topic. */
	const changing = async (old: string, recent: string): Promise<string> => {
		const topic = newTopic();
		await write(topic, [[ns(longAgo), old]]);
		await write(topic, [[ns(recently), recent]]);
		return topic;
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
			const topic = newTopic();
			await write(topic, [[ns(recently), '1']]);
			await expectTold(['absent', { topic, field: 'absent' }], [null, null]);
			await expectTold([], []);
		});

		test.each([
			['excludes', 'a nanosecond before the start', start, -1n],
			['includes', 'at the start', start, 0n],
			['includes', 'a nanosecond before the end', end, -1n],
			['excludes', 'at the end', end, 0n],
		] as const)('%s a sample %s of the range', async (rule, _, time, extraNs) => {
			const topic = newTopic();
			await write(topic, [[ns(time, extraNs), '7']]);
			await expectTold([topic], [rule === 'includes' ? 7 : null]);
		});

		test.each(values)('reads a value written as %s', async (written, told) => {
			const topic = newTopic();
			await write(topic, [[ns(recently), written]]);
			// A mean is computed with fractions, which do not tell 2^53 from 2^53 + 1.
			await expectTold([topic], (way) => [told === 2 ** 53 && /mean|all kinds/.test(way) ? 'precision' : told]);
		});

		test('reads the later write of one instant', async () => {
			const topic = newTopic();
			for (const value of ['1', '3', '2']) await write(topic, [[ns(recently), value]]);
			await expectTold([topic], [2]);
		});

		test('separates databases, topics and fields', async () => {
			const topic = newTopic();
			const time = ns(recently);
			await write(topic, [[time, '1']]);
			await write(topic, [[time, '2']], databaseB);
			await write(topic, [[time, '"text"']], databaseA, 'other');
			await write(`${topic}/x`, [[time, '3']]);
			await expectTold([topic, { topic, field: 'other' }, `${topic}/x`], [1, 'not_numeric', 3]);
			await expectTold([topic], [2], { database: databaseB });
		});

		test.each(unusualNames)('reads a topic and a field named %j', async (text) => {
			await write(text, [[ns(recently), '5']], databaseA, text);
			await expectTold([{ topic: text, field: text }], [5]);
		});

		test('reads a hundred series in the order of the keys, beside text and a type that changed', async () => {
			const topics = Array.from({ length: 100 }, newTopic);
			for (const [index, topic] of topics.entries()) await write(topic, [[ns(recently), `${index}`]]);
			const text = newTopic();
			await write(text, [[ns(recently), '"a"']]);
			const changed = await changing('1', 'true');
			await expectTold(
				['absent', text, ...topics, changed, topics[7] ?? ''],
				(way) => [null, 'not_numeric', ...topics.keys(), newestOnly.includes(way) ? 1 : 'type_changed', 7],
				{ from: sixtyDaysAgo },
			);
		});

		test.each([
			['true', '2', 2],
			['true', '2i', 2],
			['1', 'true', 1],
			['1u', 'true', 1],
			['"a"', '2', 2],
			['1', '"b"', 'not_numeric'],
		])('reads a type that changed from %s to %s as a fault of the range with both', async (old, recent, told) => {
			const topic = await changing(old, recent);
			await expectTold([topic], (way) => [newestOnly.includes(way) ? told : 'type_changed'], { from: sixtyDaysAgo });
			await expectTold([topic], [told]);
		});

		test.each([
			['1', '2i'],
			['1i', '2'],
			['1i', '2u'],
			['1u', '2'],
			['9007199254740993i', '2i'],
		])('reads numbers whose type or size changed from %s to %s together', async (old, recent) => {
			const topic = await changing(old, recent);
			await expectTold([topic], [2], { from: sixtyDaysAgo });
			const older = old.startsWith('1') ? 1 : 'precision';
			await expectTold([topic], [older], { from: sixtyDaysAgo, to: at('2024-03-01T00:00:00Z') });
		});
	});
};
