import { describe, expect, test } from 'vitest';
import type { SourceSamples } from '#domain/ports/sample-reader.ts';
import type { StoredDay } from '#domain/report/stored-day.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { listRead } from '#test/support/reports/report-days.ts';
import { openReportPlant, tenant, writePlant } from '#test/support/reports/report-plant.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A Tuesday. */
const start = Date.UTC(2026, 9, 20);

const openPlant = async () => {
	const plant = await openReportPlant(start, {
		lines: ({ flow, meter }) => [
			{ key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: flow, per: 'h', range: [0, 500], holdSeconds: 1200 },
			{
				...{ key: 'metered', name: 'Metered', unit: 'm³', function: 'increase', varId: meter },
				...{ counter: { size: 100_000 }, holdSeconds: 3600 },
			},
			{ key: 'ratio', name: 'Ratio', unit: '', function: 'formula', equation: tokensOf('metered / volume') },
		],
	});
	const key = { schema: tenant.schema, reportId: plant.id };
	const days = () => listRead(plant.stored, key, '2026-10-20', '2026-10-31');
	const dayOf = async (date: string): Promise<StoredDay> =>
		(await days()).find((each) => each.date === date) ?? expect.unreachable('The day is stored.');
	return { ...plant, key, days, dayOf };
};
/** Returns a day as releases stored it before the rules had numbers. */
const withoutRules = ({ rules: _, ...day }: StoredDay): StoredDay => day;

const numberIn = (day: StoredDay, key: string) => day.lines.find(({ line }) => line.key === key)?.value;

describe('days that were stored before increases counted over common time', () => {
	const openOldPlant = async () => {
		const plant = await openPlant();
		writePlant(plant.series, start - dayMs, start + 8 * dayMs, 10 * minuteMs);
		for (let day = 1; day <= 6; day += 1) {
			plant.clock.now = start + day * dayMs + 5 * hourMs;
			await plant.close();
		}
		const whole = await plant.read(start, start + 6 * dayMs, 'month');
		/** Stores the states as they were before: without the counters of formulas. */
		for (const day of await plant.days()) {
			const lines = day.lines.map((each) =>
				each.state.kind === 'formula'
					? { ...each, state: { kind: 'formula' as const, common: each.state.common }, value: { ...each.value, value: 0.664 } }
					: each,
			);
			await plant.stored.put(plant.key, { ...withoutRules(day), rowVersion: day.rowVersion + 1, lines }, day);
		}
		return { ...plant, whole };
	};
	const ratioOf = ({ lines }: Awaited<ReturnType<Awaited<ReturnType<typeof openPlant>>['read']>>) =>
		lines.find(({ key }) => key === 'ratio')?.values ?? expect.unreachable();

	test('keep their sealed numbers, give no number of a month, and are counted anew while provisional or when they are sealed anew', async () => {
		const { clock, close, read, seal, dayOf, whole } = await openOldPlant();
		const right = ratioOf(whole).total.value;
		expect(right).toEqual(expect.any(Number));
		// Sealed: 20 to 22 October. Provisional: 23 to 25 October.
		expect((await dayOf('2026-10-22')).seal).not.toBeNull();
		expect((await dayOf('2026-10-23')).seal).toBeNull();
		const byDay = ratioOf(await read(start, start + 6 * dayMs, 'day'));
		expect(byDay.windows.map(({ value }) => value === 0.664)).toEqual([true, true, true, false, false, false]);
		expect(byDay.total).toMatchObject({ value: null, fault: 'counted_before', low: ratioOf(whole).total.low });
		expect(ratioOf(await read(start, start + 6 * dayMs, 'month')).total.value).toBeNull();
		// The task counts the provisional days again, and leaves the sealed ones.
		clock.now += 15 * minuteMs;
		expect(await close()).toMatchObject({ stored: 3, sealed: 0, errors: [] });
		expect(await close()).toMatchObject({ stored: 0 });
		expect(numberIn(await dayOf('2026-10-23'), 'ratio')?.value).not.toBe(0.664);
		expect(numberIn(await dayOf('2026-10-22'), 'ratio')?.value).toBe(0.664);
		await seal('2026-10-20', '2026-10-22', 'Counted over common time');
		expect((await dayOf('2026-10-22')).revision).toBe(2);
		const after = ratioOf(await read(start, start + 6 * dayMs, 'month'));
		expect(after.total.value).toBeCloseTo(right ?? Number.NaN, 12);
		expect(await seal('2026-10-20', '2026-10-22')).toMatchObject([{ revision: 2 }, { revision: 2 }, { revision: 2 }]);
	});
});

describe('days that an earlier release counted, which mixed the samples of two sources', () => {
	const openMixedPlant = async () => {
		const plant = await openPlant();
		for (let time = start - 2 * dayMs; time < start + 8 * dayMs; time += 10 * minuteMs) {
			plant.series.write('flow', time, 100);
			plant.series.write('second', time + 5 * minuteMs, 10);
		}
		const release = { isEarlier: true };
		const { series, stored } = plant;
		const [readOne, put] = [series.readSamples.bind(series), stored.put];
		series.readSamples = async (database, keys) => {
			const first = await readOne(database, keys);
			const second = await readOne(
				database,
				keys.map((key) => (key.topic === 'flow' ? { ...key, topic: 'second' } : key)),
			);
			return keys.map(({ topic }, index) => {
				const parts = [first[index] ?? [], second[index] ?? []].flatMap((result) => ('fault' in result ? [] : result));
				if (topic !== 'flow') return parts.slice(0, 1);
				const sources = parts.map((part, source) => ({ ...part, tags: [['unit', `${source}`]] as const }));
				return release.isEarlier ? [mixed(sources)] : sources;
			});
		};
		plant.deps.days.put = (key, day, row) => put(key, release.isEarlier ? withoutRules(day) : day, row);
		plant.clock.now = start + 4 * dayMs - hourMs;
		await plant.close();
		release.isEarlier = false;
		return plant;
	};
	/** The samples of several sources as those of one. */
	const mixed = (sources: readonly SourceSamples[]): SourceSamples => {
		const pairs = sources.flatMap(({ times, values }) => Array.from(times, (time, index) => [time, values[index] ?? 0] as const));
		pairs.sort(([a], [b]) => a - b);
		const [times, values] = [Float64Array.from(pairs, ([time]) => time), Float64Array.from(pairs, ([, value]) => value)];
		return { tags: [], times, values };
	};
	const mixedNumber = { value: 1320, known: 1 };
	const separateNumber = { value: null, known: 0, several: { tags: [{ name: 'unit', values: ['0', '1'] }] } };

	test('are counted again before they are sealed, and by every read until then', async () => {
		const { clock, close, dayOf, read } = await openMixedPlant();
		expect(await dayOf('2026-10-20')).toMatchObject({ seal: null });
		expect(numberIn(await dayOf('2026-10-20'), 'volume')).toMatchObject(mixedNumber);
		const { lines, states } = await read(start, start + 2 * dayMs, 'day');
		expect(states).toEqual(['provisional', 'provisional']);
		expect(lines[0]?.values.windows).toMatchObject([separateNumber, separateNumber]);
		// It becomes due in this run.
		clock.now = start + 4 * dayMs;
		expect(await close()).toMatchObject({ sealed: 1, errors: [] });
		const sealed = await dayOf('2026-10-20');
		expect(sealed).toMatchObject({ revision: 1, seal: { by: null } });
		expect(numberIn(sealed, 'volume')).toMatchObject(separateNumber);
		expect(await close()).toMatchObject({ stored: 0 });
	});

	test('stay as they are where they were sealed, until somebody seals them anew', async () => {
		const { clock, close, key, read, seal, stored } = await openMixedPlant();
		const first = async () => (await listRead(stored, key, '2026-10-19', '2026-10-19'))[0] ?? expect.unreachable();
		const before = await first();
		expect(before.seal).not.toBeNull();
		clock.now = start + 4 * dayMs;
		await close();
		expect(await first()).toEqual(before);
		const kept = await read(start - dayMs, start, 'day');
		expect([kept.lines[0]?.values.total, kept.changed]).toMatchObject([mixedNumber, []]);
		expect(await seal('2026-10-19', '2026-10-19')).toMatchObject([{ revision: 2 }]);
		expect(numberIn(await first(), 'volume')).toMatchObject(separateNumber);
		expect(await stored.revisions(key, '2026-10-19')).toEqual([before]);
		expect(await seal('2026-10-19', '2026-10-19')).toMatchObject([{ revision: 2 }]);
	});
});

describe('a day whose last reading is followed by one that tells that it was momentary', () => {
	test('is counted again 4 h after its end, before it is sealed, and has the number of a live count', async () => {
		const { clock, close, series, dayOf, read } = await openPlant();
		for (let reading = 0; reading < 48; reading += 1)
			series.write('meter', start + (30 * reading + 1) * minuteMs, 99_000 + reading);
		series.write('meter', start + dayMs - minuteMs, 0);
		clock.now = start + dayMs + 15 * minuteMs;
		await close();
		// Nothing tells yet that this was no turn.
		expect(numberIn(await dayOf('2026-10-20'), 'metered')).toMatchObject({ value: 1000, counterFaults: [] });
		series.write('meter', start + dayMs + 29 * minuteMs, 99_049);
		clock.now = start + dayMs + 4 * hourMs - 1;
		await close();
		expect(await dayOf('2026-10-20')).toMatchObject({ rowVersion: 1 });
		clock.now = start + dayMs + 4 * hourMs;
		await close();
		await close();
		const counted = await dayOf('2026-10-20');
		expect(counted).toMatchObject({ rowVersion: 2, seal: null });
		expect(numberIn(counted, 'metered')).toMatchObject({
			...{ value: null, low: null, high: null },
			counterFaults: [{ code: 'counter_fell', from: { value: 99_047 }, to: { value: 0 } }],
		});
		clock.now = start + 4 * dayMs;
		await close();
		const sealed = await dayOf('2026-10-20');
		expect(sealed.seal).not.toBeNull();
		expect(numberIn(sealed, 'metered')).toEqual(numberIn(counted, 'metered'));
		const { lines } = await read(start, start + 2 * dayMs, 'day');
		expect(lines.find(({ key }) => key === 'metered')?.values.windows.map(({ value }) => value)).toEqual([null, null]);
	});
});

describe('a sample at the very end of a day', () => {
	const openLevels = async () => {
		const plant = await openReportPlant(start, {
			lines: ({ level, meter }) => [
				{ key: 'rise', name: 'Rise', unit: 'm', function: 'change', varId: level, range: [0, 6], holdSeconds: 7200 },
				{ key: 'metered', name: 'Metered', unit: 'm³', function: 'increase', varId: meter, holdSeconds: 7200 },
			],
		});
		for (let time = start - dayMs; time < start + 2 * dayMs; time += hourMs) {
			if (time === start + dayMs) continue;
			plant.series.write('level', time, 2);
			plant.series.write('meter', time, time / hourMs);
		}
		plant.clock.now = start + dayMs + 20 * minuteMs;
		await plant.close();
		const writeLate = () => {
			plant.series.write('level', start + dayMs, 5);
			plant.series.write('meter', start + dayMs, (start + dayMs) / hourMs);
		};
		const valuesOn = async (day: number) => {
			const { lines, changed } = await plant.read(start + day * dayMs, start + (day + 1) * dayMs, 'day');
			return { values: lines.map(({ values }) => values.windows[0]?.value), changed };
		};
		return { ...plant, writeLate, valuesOn };
	};

	test('is about the day before, too: it is counted again where it comes late', async () => {
		const { clock, close, writeLate, valuesOn } = await openLevels();
		expect(await valuesOn(0)).toMatchObject({ values: [0, 23] });
		clock.now = start + dayMs + 5 * hourMs;
		await close();
		writeLate();
		expect(await valuesOn(0)).toMatchObject({ values: [3, 24] });
		clock.now += 15 * minuteMs;
		await close();
		clock.now = start + 2 * dayMs + hourMs;
		await close();
		expect(await valuesOn(1)).toMatchObject({ values: [-3, 23] });
	});

	test('tells that a sealed day would have another number', async () => {
		const { clock, close, writeLate, valuesOn } = await openLevels();
		clock.now = start + 5 * dayMs;
		await close();
		writeLate();
		expect(await valuesOn(0)).toMatchObject({
			values: [0, 23],
			changed: [{ date: '2026-10-20', lines: ['rise', 'metered'], causes: ['late_samples'] }],
		});
	});
});
