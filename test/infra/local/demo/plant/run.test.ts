import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPlant, type Plant, type PlantDeps } from '#infra/local/demo/plant/run.ts';
import { type PlantSample, plantSeries } from '#infra/local/demo/plant/sensors.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The past of a plant in these tests. */
const pastMs = 6 * 60 * 60 * 1000;
const stepMs = 5000;
const seriesCount = Object.keys(plantSeries).length;

/** A store, a saved state and a clock for several plants in turn. */
const makeHarness = (nowMs = Date.UTC(2026, 5, 15, 10, 0, 3)) => {
	const stored = new Map<string, Map<number, PlantSample['value']>>();
	const writes: number[] = [];
	const waiting: (() => void)[] = [];
	const failures: unknown[] = [];
	const control = { nowMs, saved: undefined as unknown, refuseWrite: false, refuseSave: false };
	const deps: PlantDeps = {
		write: async (samples) => {
			if (control.refuseWrite) throw new Error('no disk');
			for (const { topic, timeMs, value } of samples) {
				const series = stored.get(topic) ?? new Map<number, PlantSample['value']>();
				stored.set(topic, series.set(timeMs, value));
			}
			writes.push(samples.length);
		},
		loadState: () => (typeof control.saved === 'string' ? JSON.parse(control.saved) : control.saved),
		saveState: (saved) => {
			if (control.refuseSave) throw new Error('killed');
			control.saved = JSON.stringify(saved);
		},
		now: () => control.nowMs,
		pastMs,
		onWriteFailed: (error) => failures.push(error),
		pause: (ms, signal) => {
			const { promise, resolve } = Promise.withResolvers<void>();
			signal.addEventListener('abort', () => resolve());
			waiting.push(() => {
				control.nowMs += ms;
				resolve();
			});
			return promise;
		},
	};
	/** Advances the clock to the next sample. */
	const tick = async (): Promise<void> => {
		waiting.splice(0).forEach((wake) => {
			wake();
		});
		for (let turn = 0; turn < 5; turn += 1) await setImmediate();
	};
	const times = (topic: string = plantSeries.rawLevel.topic) =>
		[...(stored.get(topic)?.keys() ?? [])].sort((one, another) => one - another);
	return { control, deps, writes, failures, waiting, stored, tick, times };
};

/** The sample times from just after `fromMs` to `toMs`. */
const every5s = (fromMs: number, toMs: number): number[] =>
	Array.from({ length: (toMs - fromMs) / stepMs }, (_, index) => fromMs + (index + 1) * stepMs);

const boundary = (nowMs: number): number => nowMs - (nowMs % stepMs);

const hourMs = 60 * 60 * 1000;

/** Starts a plant, and resolves when its past is written, too. */
const startFilled = async (plant: Plant): Promise<void> => {
	await plant.start();
	await plant.filled();
};

describe('createPlant', () => {
	test('starts with the last hour, and writes the past behind it', async () => {
		const { control, deps, times, tick } = makeHarness();
		const startMs = boundary(control.nowMs);
		const plant = createPlant(deps);
		await plant.start();
		const early = times();
		expect(early.filter((timeMs) => timeMs > startMs - hourMs)).toEqual(every5s(startMs - hourMs, startMs));
		expect(early.length).toBeLessThan(pastMs / stepMs);
		await tick();
		await plant.filled();
		expect(times()).toEqual(every5s(startMs - pastMs, startMs + stepMs));
		await plant.stop();
	});

	test('writes the same past after a stop, a kill and a failing write in the middle of it', async () => {
		const [interrupted, steady] = [makeHarness(), makeHarness()];
		for (const { deps } of [interrupted, steady]) Object.assign(deps, { pastMs: 26 * hourMs });
		const stopped = createPlant(interrupted.deps);
		await stopped.start();
		await stopped.stop();
		const { writes, control, deps, failures, tick } = interrupted;
		expect(JSON.parse(String(control.saved))).toHaveProperty('past');
		let isKilled = false;
		const killed = createPlant({
			...deps,
			write: async (samples) => {
				if (writes.length > 20) isKilled = true;
				if (isKilled) throw new Error('killed');
				return deps.write(samples);
			},
		});
		await killed.start();
		for (let turn = 0; !isKilled && turn < 1000; turn += 1) await setImmediate();
		await tick();
		await killed.stop();
		expect(failures).toContainEqual(new Error('killed'));
		control.nowMs = steady.control.nowMs;
		const last = createPlant(deps);
		await startFilled(last);
		await last.stop();
		expect(JSON.parse(String(control.saved))).not.toHaveProperty('past');
		const plant = createPlant(steady.deps);
		await startFilled(plant);
		await plant.stop();
		/** The samples up to the start as one text, which is compared faster than lists. */
		const upToStart = (samples: ReadonlyMap<number, unknown> | undefined): string =>
			[...(samples ?? [])]
				.filter(([timeMs]) => timeMs <= boundary(steady.control.nowMs))
				.sort(([a], [b]) => a - b)
				.join(';');
		for (const [topic, samples] of steady.stored)
			expect(upToStart(interrupted.stored.get(topic)) === upToStart(samples), topic).toBe(true);
	});

	test('fills the past at the first start, then writes every 5 s', async () => {
		const { control, deps, stored, tick, times } = makeHarness();
		const startMs = boundary(control.nowMs);
		const plant = createPlant(deps);
		await startFilled(plant);
		expect(stored.size).toBe(seriesCount);
		expect(times()).toEqual(every5s(startMs - pastMs, startMs));
		await tick();
		await tick();
		expect(times()).toEqual(every5s(startMs - pastMs, startMs + 2 * stepMs));
		expect(boundary(control.nowMs)).toBe(control.nowMs);
		await plant.stop();
	});

	test('writes nothing before start and after stop', async () => {
		const { deps, writes, waiting, tick } = makeHarness();
		const plant = createPlant(deps);
		expect(writes).toEqual([]);
		await startFilled(plant);
		await plant.stop();
		const written = writes.length;
		await tick();
		expect(writes.length).toBe(written);
		expect(waiting).toEqual([]);
	});

	test('runs once when it is started twice', async () => {
		const { deps, writes, waiting, tick } = makeHarness();
		const plant = createPlant(deps);
		await Promise.all([startFilled(plant), startFilled(plant)]);
		// The remote gauge sends half of the time.
		expect(writes.reduce((sum, samples) => sum + samples)).toBe((pastMs / stepMs) * (seriesCount - 0.5));
		expect(waiting.length).toBe(1);
		await tick();
		expect(writes.at(-1)).toBeGreaterThanOrEqual(seriesCount - 1);
		await plant.stop();
	});

	test('writes the same samples with a restart as without', async () => {
		const [restarted, steady] = [makeHarness(), makeHarness()];
		const firstMs = boundary(steady.control.nowMs);
		const first = createPlant(restarted.deps);
		await startFilled(first);
		await first.stop();
		restarted.control.nowMs += 3 * 60 * 60 * 1000;
		const second = createPlant(restarted.deps);
		await startFilled(second);
		await second.stop();

		const plant = createPlant(steady.deps);
		await startFilled(plant);
		for (let ms = 0; ms < 3 * 60 * 60 * 1000; ms += stepMs) await steady.tick();
		await plant.stop();
		expect(restarted.times()).toEqual(every5s(firstMs - pastMs, firstMs + 3 * 60 * 60 * 1000));
		expect(restarted.stored).toEqual(steady.stored);
	});

	test('leaves no hole when it is killed between the write and the save of its state', async () => {
		const { control, deps, times, stored } = makeHarness();
		const firstMs = boundary(control.nowMs);
		let saves = 0;
		const killed = createPlant({
			...deps,
			saveState: (saved) => {
				saves += 1;
				if (saves === 2) throw new Error('killed');
				return deps.saveState(saved);
			},
		});
		await expect(killed.start()).rejects.toThrow('killed');
		const before = new Map(stored.get(plantSeries.rawLevel.topic));
		control.nowMs += 60_000;
		const plant = createPlant(deps);
		await startFilled(plant);
		await plant.stop();
		expect(times()).toEqual(every5s(firstMs - pastMs, firstMs + 60_000));
		for (const [timeMs, level] of before) expect(stored.get(plantSeries.rawLevel.topic)?.get(timeMs)).toBe(level);
	});

	test('fills a year with the last day at 5 s and a bounded number of samples', async () => {
		const { control, deps, times } = makeHarness();
		const first = createPlant(deps);
		await startFilled(first);
		await first.stop();
		const leftMs = boundary(control.nowMs);
		control.nowMs += 365 * dayMs;
		const nowMs = boundary(control.nowMs);
		const second = createPlant(deps);
		await startFilled(second);
		await second.stop();
		const filled = times().filter((timeMs) => timeMs > leftMs);
		expect(filled.length).toBeLessThanOrEqual(17_280 + 17_520);
		expect(filled.filter((timeMs) => timeMs > nowMs - dayMs)).toEqual(every5s(nowMs - dayMs, nowMs));
		const longestMs = Math.max(...filled.map((timeMs, index) => timeMs - (filled[index - 1] ?? leftMs)));
		expect(longestMs).toBeLessThanOrEqual(30 * 60 * 1000);
	});

	test.each([
		['nothing', undefined],
		['text', 'null'],
		['a level that is not a number', JSON.stringify({ timeMs: 1_780_000_000_000, state: { rawLevelM: 'high' } })],
		['a time between two samples', JSON.stringify({ timeMs: 1_780_000_000_001 })],
	])('starts anew when the saved state is %s', async (_, saved) => {
		const { control, deps, times } = makeHarness();
		control.saved = saved;
		const plant = createPlant(deps);
		await startFilled(plant);
		await plant.stop();
		expect(times().length).toBe(pastMs / stepMs);
	});

	test('continues from the clock after the clock was set back', async () => {
		const { control, deps, times, tick } = makeHarness();
		const first = createPlant(deps);
		await startFilled(first);
		await first.stop();
		const written = times().length;
		control.nowMs -= 60 * 60 * 1000;
		const second = createPlant(deps);
		await startFilled(second);
		await tick();
		expect(times().length).toBe(written);
		expect(JSON.parse(String(control.saved))).toMatchObject({ timeMs: boundary(control.nowMs) });
		await second.stop();
	});

	test('reports a failing write once, and writes the missed samples later', async () => {
		const { control, deps, failures, tick, times } = makeHarness();
		const startMs = boundary(control.nowMs);
		const plant = createPlant(deps);
		await startFilled(plant);
		control.refuseWrite = true;
		await tick();
		await tick();
		await tick();
		expect(failures).toEqual([new Error('no disk')]);
		control.refuseWrite = false;
		await tick();
		expect(times()).toEqual(every5s(startMs - pastMs, startMs + 4 * stepMs));
		control.refuseSave = true;
		await tick();
		expect(failures).toEqual([new Error('no disk'), new Error('killed')]);
		await plant.stop();
	});

	test('stops during the first fill after the current write', async () => {
		const { control, deps, writes, times } = makeHarness();
		const plant = createPlant(deps);
		const started = plant.start();
		await plant.stop();
		await started;
		expect(writes.length).toBeLessThan(5);
		const written = times().at(-1);
		expect(JSON.parse(String(control.saved))).toMatchObject({ timeMs: written });
		const next = createPlant(deps);
		await startFilled(next);
		await next.stop();
		expect(times()).toEqual(every5s(boundary(control.nowMs) - pastMs, boundary(control.nowMs)));
	});

	test('runs on real timers', async () => {
		const { deps, control, times } = makeHarness(Date.UTC(2026, 5, 15, 10, 0, 4, 990));
		const { pause: _, ...rest } = deps;
		const plant = createPlant({ ...rest, now: () => control.nowMs });
		await startFilled(plant);
		const before = times().length;
		control.nowMs += 10;
		for (let turn = 0; turn < 100 && times().length === before; turn += 1)
			await new Promise((resolve) => setTimeout(resolve, 10));
		expect(times().length).toBe(before + 1);
		await plant.stop();
	});
});
