import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundsOf } from '#domain/calendar/bounds.ts';
import { startOfDay } from '#domain/calendar/days.ts';
import type { DayCause } from '#domain/report/compare-days.ts';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { readTotals } from '#domain/use-cases/read-totals.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';
import { person } from '#test/support/builders/origin.ts';
import { listRead } from '#test/support/reports/report-days.ts';
import { linesOf, openReportPlant, type ReportPlant, tenant, topics, writePlant } from '#test/support/reports/report-plant.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Twenty zones; most of them change their clocks in March, April, September, October or November. */
const zones = [
	...['UTC', 'Europe/Madrid', 'Europe/London', 'Europe/Moscow', 'America/New_York', 'America/Los_Angeles', 'America/Santiago'],
	...['America/Sao_Paulo', 'America/St_Johns', 'Atlantic/Azores', 'Africa/Cairo', 'Africa/Casablanca', 'Asia/Kolkata'],
	...[
		'Asia/Kathmandu',
		'Asia/Tokyo',
		'Australia/Lord_Howe',
		'Australia/Sydney',
		'Pacific/Auckland',
		'Pacific/Chatham',
		'Pacific/Apia',
	],
];

/** Opens a plant whose days from `from` on are stored; those that are older than 72 hours are sealed. */
const openSealed = async (
	from: number,
	days: number,
	options: Parameters<typeof openReportPlant>[1] = {},
	stepMs = 10 * minuteMs,
	onDay?: (plant: ReportPlant, start: number, day: number) => Promise<unknown>,
) => {
	const calendar = makeCalendar(options.timeZone, options.dayStart);
	const first = startOfDay(from, calendar);
	const end = startOfDay(from, calendar, { daysLater: days });
	const plant = await openReportPlant(first, options);
	writePlant(plant.series, first - 2 * dayMs, end + dayMs, stepMs);
	for (let day = 1; day <= days; day += 1) {
		plant.clock.now = startOfDay(from, calendar, { daysLater: day }) + hourMs;
		await onDay?.(plant, startOfDay(from, calendar, { daysLater: day }), day);
		await plant.close();
	}
	return { ...plant, first, end, calendar };
};

/** Saves a correction of the last hours before the end of every fourth day, in turn one of each kind and over one or two midnights. */
const correctDay = async ({ correct, ids }: ReportPlant, end: number, day: number): Promise<void> => {
	const span = { from: end - 5 * hourMs, to: end + hourMs / 2 };
	if (day % 4 !== 0) return;
	await [
		() => correct({ varId: ids.meter, type: 'exclude', ...span, from: end - 30 * hourMs }),
		() => correct({ varId: ids.flow, type: 'value', ...span, value: 90 }),
		() => correct({ varId: ids.meter, type: 'exchange', at: end - hourMs, oldFinal: 90_000, newInitial: 10 }),
		() => correct({ varId: ids.pump, type: 'exclude', ...span }),
		() => correct({ varId: ids.both, type: 'value', ...span, value: 7 }),
	][(day / 4) % 5]?.();
};

describe('a month of stored days', () => {
	test.each(zones)('is what POST /totals counts over the month, over both clock changes, in %s', async (timeZone) => {
		for (const [from, dayStart] of [
			[Date.UTC(2026, 2, 20, 12), '00:00'],
			[Date.UTC(2026, 9, 15, 12), '06:30'],
		] as const) {
			const plant = await openSealed(from, 26, { timeZone, dayStart }, 30 * minuteMs, correctDay);
			const { first, end, clock, report, deps } = plant;
			clock.now = end + 80 * hourMs;
			await plant.close();
			const before = { ...plant.series.calls };
			const { lines, states, changed } = await plant.read(first, end, 'month');
			expect([new Set(states), changed]).toEqual([new Set(['sealed']), []]);
			expect(plant.series.calls).toEqual({ ...before, readSpans: before.readSpans + 1 });
			const wire = report.lines.map((line) =>
				Object.fromEntries(Object.entries(line).filter(([key]) => key !== 'name' && key !== 'unit')),
			);
			const period = { count: 1, unit: 'mo' };
			const request = parseTotalsRequest({ lines: wire, start: first, end, period, timeZone, dayStart }, clock.now);
			const direct = await readTotals(deps, tenant.schema, tenant.database, request);
			for (const [index, line] of direct.lines.entries()) {
				const pairs = [...line.values.windows, line.values.total].map((value, window) => {
					const { windows, total } = lines[index]?.values ?? expect.unreachable();
					return [value, windows[window] ?? total] as const;
				});
				expect(pairs.length).toBeGreaterThan(1);
				for (const [expected, found] of pairs)
					for (const field of ['value', 'low', 'high', 'known', 'at'] as const) {
						const [a, b] = [expected[field] ?? null, found[field] ?? null];
						if (a === null || b === null) expect([line.key, field, b]).toEqual([line.key, field, a]);
						else expect(Math.abs(a - b), `${line.key} ${field}`).toBeLessThanOrEqual(1e-11 * Math.max(1, Math.abs(a)));
					}
			}
		}
	});

	test('shows each sealed day as it was sealed, and the sum of hours is that of the day', async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 8);
		plant.clock.now = plant.end + 80 * hourMs;
		await plant.close();
		plant.series.write('flow', plant.first + 12 * hourMs + 1, 499);
		const { lines, changed } = await plant.read(plant.first, plant.first + 2 * dayMs, 'day');
		const [kept] = await listRead(plant.stored, { schema: 's', reportId: plant.id }, '2026-10-20', '2026-10-20');
		expect(lines[0]?.values.windows[0]).toEqual(kept?.lines[0]?.value);
		expect(changed).toMatchObject([{ date: '2026-10-20', causes: ['late_samples'] }]);
		const hours = await plant.read(plant.first, plant.first + dayMs, 'hour');
		expect(hours.bounds).toHaveLength(25);
		expect(hours.lines[0]?.values.total).toEqual(kept?.lines[0]?.value);
		const sum = hours.lines[0]?.values.windows.reduce((total, { value }) => total + (value ?? 0), 0) ?? Number.NaN;
		expect(sum).not.toBeCloseTo(kept?.lines[0]?.value.value ?? Number.NaN, 3);
	});

	test('marks what the range cuts, what is open and what is provisional', async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 12);
		plant.clock.now = plant.first + 12 * dayMs + 5 * hourMs;
		const { states, partial, bounds } = await plant.read(plant.first, plant.clock.now, 'week');
		expect(bounds.map((time) => new Date(time).toISOString().slice(0, 10))).toEqual(['2026-10-20', '2026-10-26', '2026-11-01']);
		expect(states).toEqual(['sealed', 'open']);
		expect(partial).toEqual([true, false]);
		expect((await plant.read(plant.first, plant.first + 11 * dayMs, 'day')).states.slice(-3)).toEqual([
			'sealed',
			'provisional',
			'provisional',
		]);
	});
});

/** What a change of a sealed month must be told as. */
interface Mutation {
	readonly cause: DayCause;
	/** The keys of the lines that may differ. */
	readonly lines: readonly string[];
	/** Undoes a change that is about every day; left out: the change is about one day, which is sealed anew. */
	readonly undo?: () => Promise<unknown>;
	/** Whether the day has been sealed anew since it was sealed first. */
	readonly isSealedAnew?: boolean;
}

const linesOfTopic: Readonly<Record<string, readonly string[]>> = {
	flow: ['volume', 'night', 'sum', 'ratio'],
	level: ['mean', 'least', 'sum', 'ratio'],
	pump: ['hours', 'starts'],
	meter: ['metered'],
};
const flowLines = linesOfTopic['flow'] ?? [];

/** Changes that give a day another number. */
const mutations: Readonly<
	Record<string, (plant: ReportPlant, day: number, random: (limit: number) => number) => Promise<Mutation>>
> = {
	'late sample': async ({ series }, day, random) => {
		series.write('flow', day + hourMs + random(20 * hourMs), 450);
		return { cause: 'late_samples', lines: flowLines };
	},
	'deleted samples': async ({ series }, day, random) => {
		const topic = topics[random(3)] ?? 'flow';
		const times = series.timesIn(topic, day + hourMs, day + dayMs - hourMs);
		const first = random(times.length - 12);
		for (const time of times.slice(first, first + 12)) expect(series.remove(topic, time)).toBe(true);
		return { cause: 'missing_samples', lines: linesOfTopic[topic] ?? [] };
	},
	correction: async ({ correct, ids }, day, random) => {
		const from = day + random(20 * hourMs);
		await correct({ varId: ids.flow, type: 'value', from, to: from + 2 * hourMs, value: 480 });
		return { cause: 'correction', lines: ['volume', 'night', 'ratio'] };
	},
	'revoked correction': async ({ write, stored, id, clock, seal, correct, ids }, day, random) => {
		const from = day + hourMs + random(20 * hourMs);
		const correction = await correct({ varId: ids.level, type: 'value', from, to: from + hourMs, value: 5.5 });
		const date = new Date(day).toISOString().slice(0, 10);
		await seal(date, date);
		expect(await stored.revisions({ schema: 's', reportId: id }, date)).not.toHaveLength(0);
		clock.now += 1000;
		await deleteBoard(write, 's', { kind: 'correction', id: correction });
		return { cause: 'correction', lines: ['mean', 'least', 'ratio'], isSealedAnew: true };
	},
	definition: async ({ simple, ids }) => {
		await simple('level', ids.flow);
		return { cause: 'variable', lines: ['volume', 'night', 'ratio'], undo: () => simple('flow', ids.flow) };
	},
	line: async ({ saveReport, report }, _, random) => {
		const changed = random(2) === 0 ? { unit: 'L' } : { per: 'min' };
		await saveReport({ lines: report.lines.with(0, { ...report.lines[0], ...changed }) });
		return { cause: 'line', lines: ['volume', 'ratio'], undo: () => saveReport({}) };
	},
	zone: async ({ saveReport, ids }, _, random) => {
		await saveReport(random(2) === 0 ? { timeZone: 'Atlantic/Cape_Verde' } : { dayStart: '01:00' });
		return { cause: 'calendar', lines: linesOf(ids).map(({ key }) => key), undo: () => saveReport({}) };
	},
};

describe('a sealed month', () => {
	test('names the day and the cause of 100 seeded changes, and nothing else', { timeout: 60_000 }, async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 1), 31);
		plant.clock.now = plant.end + 80 * hourMs;
		await plant.close();
		let state = 20_261_124;
		const random = (limit: number): number => {
			state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
			return Math.floor((state / 2 ** 32) * limit);
		};
		const names = Object.keys(mutations);
		const month = () => plant.read(plant.first, plant.end, 'day');
		const shown = (read: Awaited<ReturnType<typeof month>>) => JSON.stringify(read.lines.map(({ values }) => values.windows));
		const named = new Map<string, number>();
		for (let round = 0; round < 100; round += 1) {
			const sealed = await month();
			expect(sealed.changed).toEqual([]);
			const day = plant.first + (1 + random(29)) * dayMs;
			const date = new Date(day).toISOString().slice(0, 10);
			const name = names[round % names.length] ?? '';
			const told = `${round} ${name}`;
			const mutation = (await mutations[name]?.(plant, day, random)) ?? expect.unreachable();
			const { cause, lines, undo, isSealedAnew = false } = mutation;
			const after = await month();
			const { changed } = after;
			expect(changed.find((each) => each.date === date)?.causes, told).toEqual([cause]);
			for (const each of changed) expect([told, each.causes]).toEqual([told, [cause]]);
			const differing = new Set(changed.flatMap((each) => each.lines));
			expect(differing.size, told).toBeGreaterThan(0);
			expect(
				[...differing].filter((key) => !lines.includes(key)),
				told,
			).toEqual([]);
			named.set(name, (named.get(name) ?? 0) + 1);
			if (undo !== undefined) {
				expect(changed.length, told).toBeGreaterThanOrEqual(30);
				await undo();
				expect(shown(await month()), told).toBe(shown(sealed));
				continue;
			}
			// A signal holds over midnight, so the day after may differ, too.
			expect([changed[0]?.date, changed.length <= 2], told).toEqual([date, true]);
			if (!isSealedAnew) expect(shown(after), told).toBe(shown(sealed));
			await plant.seal(date, new Date(day + dayMs).toISOString().slice(0, 10));
		}
		expect([...named.values()].every((count) => count >= 14)).toBe(true);
	});

	test('names changed definitions, lines, units and zones, and goes on under the new ones', async () => {
		const changes: readonly (readonly [DayCause, (plant: ReportPlant) => Promise<unknown>])[] = [
			['variable', ({ simple, ids }) => simple('level', ids.flow)],
			[
				'variable',
				({ write, ids }) =>
					saveVariable(
						write,
						's',
						parseVariable({
							...makeCalculatedBody('a - b', {
								varsTsdb: {
									a: makeQuery({ calc_topic: 'flow', calc_period: 20 }),
									b: makeQuery({ calc_topic: 'level', calc_period: 20 }),
								},
							}),
							id: ids.both,
						}),
					),
			],
			['line', ({ saveReport, report }) => saveReport({ lines: report.lines.with(0, { ...report.lines[0], per: 'min' }) })],
			['line', ({ saveReport, report }) => saveReport({ lines: report.lines.with(0, { ...report.lines[0], unit: 'L' }) })],
			['calendar', ({ saveReport }) => saveReport({ timeZone: 'Asia/Tokyo' })],
			['calendar', ({ saveReport }) => saveReport({ dayStart: '06:00' })],
		];
		for (const [cause, apply] of changes) {
			const plant = await openSealed(Date.UTC(2026, 9, 20), 8);
			plant.clock.now = plant.end + 80 * hourMs;
			await plant.close();
			await apply(plant);
			const calendar = makeCalendar(
				cause === 'calendar' ? (await plant.read(plant.first, plant.end, 'day')).report.timeZone : 'UTC',
			);
			const bounds = boundsOf({ start: plant.first + dayMs, stop: plant.first + 4 * dayMs }, { ms: dayMs }, calendar);
			const { changed, lines } = await plant.read(bounds[0] ?? 0, bounds.at(-1) ?? 0, 'week');
			expect(changed.length).toBeGreaterThan(1);
			for (const each of changed) expect(each.causes).toEqual([cause]);
			expect(lines.every(({ values }) => values.total.value !== null)).toBe(true);
			const names = await plant.saveReport({ lines: plant.report.lines.map((line) => ({ ...line, name: 'Other' })) });
			expect(names).toBe(plant.id);
		}
	});

	test('says nothing of another name, other decimals and another group', async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 8);
		plant.clock.now = plant.end + 80 * hourMs;
		await plant.close();
		const lines = plant.report.lines.map((line) => ({ ...line, name: 'Other', decimals: 3, group: 'G' }));
		await plant.saveReport({ lines, title: 'Other' });
		expect((await plant.read(plant.first, plant.end, 'day')).changed).toEqual([]);
	});

	test('is the same byte for byte in 1,000 reads while samples arrive', async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 6, {}, hourMs);
		plant.clock.now = plant.end + 80 * hourMs;
		await plant.close();
		const read = async () => {
			const { lines, states, changed } = await plant.read(plant.first, plant.end, 'day');
			expect(changed).toEqual([]);
			return JSON.stringify([lines, states]);
		};
		const first = await read();
		for (let round = 0; round < 1000; round += 1) {
			plant.series.write('flow', plant.end + 90 * hourMs + round, round);
			expect(await read()).toBe(first);
		}
	});
});

describe('a stored day that cannot be read', () => {
	const unread = { date: '2026-10-22', rowVersion: 3, isUnread: true };
	/** Eight sealed days, of which a newer release wrote the third one. */
	const openUnread = async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 8);
		plant.clock.now = plant.end + 80 * hourMs;
		await plant.close();
		const before = await plant.read(plant.first, plant.end, 'day');
		const key = { schema: 's', reportId: plant.id };
		const listed = () => plant.stored.list(key, '2026-10-22', '2026-10-22');
		const [day = expect.unreachable()] = await listRead(plant.stored, key, '2026-10-22', '2026-10-22');
		await plant.stored.put(key, { ...day, rowVersion: 3, lines: 'later' as never }, day);
		expect(await listed()).toEqual([unread]);
		return { ...plant, before, listed };
	};

	test('has no number and says why, also in longer windows, and no other day changes', async () => {
		const { read, before, first, end } = await openUnread();
		const days = await read(first, end, 'day');
		expect(days.states).toEqual(before.states.map((state, window) => (window === 2 ? 'unreadable' : state)));
		expect([days.changed, days.unsealed]).toEqual([[], ['2026-10-22']]);
		for (const [index, { values, faults }] of days.lines.entries()) {
			const others = (windows: readonly unknown[] = []) => windows.filter((_, window) => window !== 2);
			expect(others(values.windows)).toEqual(others(before.lines[index]?.values.windows));
			for (const number of [values.windows[2], values.total])
				expect(number).toMatchObject({ value: null, low: null, high: null });
			expect(faults).toEqual(expect.arrayContaining([{ code: 'stored_row_invalid', window: 2 }, { code: 'stored_row_invalid' }]));
		}
		const weeks = await read(first, end, 'week');
		expect(weeks.states).toEqual(['unreadable', 'sealed']);
		expect(weeks.lines.map(({ values }) => values.windows[0]?.value)).toEqual(weeks.lines.map(() => null));
		const hours = await read(first + 2 * dayMs, first + 3 * dayMs, 'hour');
		expect(new Set(hours.states)).toEqual(new Set(['unreadable']));
		expect(hours.lines.map(({ values }) => values.total.value)).toEqual(hours.lines.map(() => null));
	});

	test('leaves a week that is not over whole', async () => {
		const { read, clock, end } = await openUnread();
		clock.now = Date.UTC(2026, 9, 24, 12);
		expect(end).toBeGreaterThan(clock.now);
		expect(await read(Date.UTC(2026, 9, 19), clock.now, 'week')).toMatchObject({ states: ['unreadable'], partial: [false] });
	});

	test('is not changed by the task, and is counted when somebody seals it, with what was stored kept', async () => {
		const { close, seal, read, listed, before, first, end, stored, id } = await openUnread();
		expect(await close()).toMatchObject({ stored: 0, sealed: 0, errors: [] });
		expect(await listed()).toEqual([unread]);
		const sealed = await seal('2026-10-20', '2026-10-23', 'It was damaged');
		expect(sealed.map(({ revision }) => revision)).toEqual([1, 1, 4, 1]);
		const after = await read(first, end, 'day');
		expect([after.states, after.lines.map(({ values }) => values)]).toEqual([
			before.states,
			before.lines.map(({ values }) => values),
		]);
		expect(await stored.revisions({ schema: 's', reportId: id }, '2026-10-22')).toEqual([]);
	});
});

describe('sealReportDays', () => {
	test('seals anew what changed, with the reason and who did it, and keeps the version of before', async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 8);
		plant.clock.now = plant.end + 80 * hourMs;
		await plant.close();
		const key = { schema: 's', reportId: plant.id };
		const [before] = await plant.stored.list(key, '2026-10-22', '2026-10-22');
		plant.series.write('flow', plant.first + 2 * dayMs + 5 * hourMs + 1, 499);
		const sealed = await plant.seal('2026-10-21', '2026-10-23', 'Late samples of the outage');
		expect(sealed.map(({ revision }) => revision)).toEqual([1, 2, 2]);
		expect(sealed[1]?.seal).toEqual({ at: plant.clock.now, by: person('Ana'), reason: 'Late samples of the outage' });
		expect(await plant.stored.revisions(key, '2026-10-22')).toEqual([before]);
		expect((await plant.read(plant.first, plant.end, 'day')).changed).toEqual([]);
		expect((await plant.seal('2026-10-21', '2026-10-23')).map(({ revision }) => revision)).toEqual([1, 2, 2]);
	});

	test('seals days of before the report, so that a year is read without counting', async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 8);
		await plant.seal('2026-10-01', '2026-10-19');
		const { states } = await plant.read(Date.UTC(2026, 9, 1), Date.UTC(2026, 9, 20), 'day');
		expect(new Set(states)).toEqual(new Set(['sealed']));
	});

	test.each([
		['2026-10-28', '2026-10-28', 'to'],
		['2026-10-23', '2026-10-22', 'from'],
	])('refuses days that are not over, and a reversed range: %s to %s', async (from, to, path) => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 8);
		await expect(plant.seal(from, to)).rejects.toMatchObject({ payload: { issues: [{ path }] } });
	});

	test('refuses a reversed range also where it ends on a day that the clocks skipped', async () => {
		const plant = await openReportPlant(Date.UTC(2012, 0, 10), { timeZone: 'Pacific/Apia' });
		await expect(plant.seal('2011-12-31', '2011-12-30')).rejects.toMatchObject({ payload: { issues: [{ path: 'from' }] } });
	});

	test('refuses more than 31 days', async () => {
		const plant = await openSealed(Date.UTC(2026, 9, 20), 8);
		await expect(plant.seal('2026-09-01', '2026-10-02')).rejects.toMatchObject({ code: 'too_large', payload: { actual: 32 } });
	});
});

test('days of a range are divided as whole days and cut ones', () => {
	fc.assert(
		fc.property(fc.constantFrom(...zones), fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) }), (zone, time) => {
			const calendar = makeCalendar(zone, '06:30');
			const start = startOfDay(time, calendar);
			expect(start).toBeLessThanOrEqual(time);
			expect(startOfDay(time, calendar, { daysLater: 1 })).toBeGreaterThan(time);
			expect(startOfDay(start, calendar)).toBe(start);
		}),
	);
});
