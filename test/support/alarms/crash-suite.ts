import { expect, test } from 'vitest';
import type { AlarmEvent } from '#domain/alarm-rows/alarm-event.ts';
import { noOperatorState } from '#domain/alarm-rows/alarm-rows.ts';
import { firstSeed } from '#test/support/cases.ts';
import { crashingAlarmStore } from '../fakes/crashing-alarm-store.ts';
import { randomFrom as numbersFrom, Scheduler } from '../fakes/scheduler.ts';
import { type Random, randomFrom } from './random.ts';
import { makeTickPlant, type PlantStores, plantStart, sqliteStores } from './tick-plant.ts';

const minuteMs = 60_000;
const alarmIds = [11, 12, 13] as const;

/** When ticks run, in minutes after the first one. Between some of them is a pause, which the next tick catches up in several pieces. */
const tickMinutes = [1, 2, 27, 28, 29, 30];
const flushMinutes = [46, 63];

/** Makes the seed of the disturbances another one than that of the plant. */
const disturbanceBits = 0x5a5a5a;

type Plant = ReturnType<typeof makeTickPlant>;

/**
 * Compares plants whose evaluator crashes at a random write, or loses an answer, beside a second evaluator and an operator who
 * acknowledges, with the same plants undisturbed. A failure names its seed.
 * @param runs number of random plants
 */
export function crashSuite(openStores: () => PlantStores, runs: number): void {
	test(`a crash between any two writes changes nothing in the journal, and loses no message: ${runs} runs from seed ${firstSeed} on`, {
		timeout: 60_000 + runs * 6000,
	}, async () => {
		const stores = openStores();
		// What happens undisturbed does not depend on the store, so it is taken from the fastest.
		const quietStores = sqliteStores();
		let raised = 0;
		let crashes = 0;
		for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
			const quiet = await makePlant(quietStores, seed, 'quiet');
			await runQuietly(quiet);
			const disturbed = await makePlant(stores, seed, 'disturbed');
			const outcome = await runDisturbed(disturbed, randomFrom(seed ^ disturbanceBits), seed);
			const journal = evaluatorEvents(await disturbed.events());
			expect(journal.map(withoutClock), `seed ${seed}`).toEqual(evaluatorEvents(await quiet.events()).map(withoutClock));
			const numbers = journal.map(({ alarmId, origin }) => `${alarmId} ${origin.number}`);
			expect(new Set(numbers).size, `seed ${seed}`).toBe(numbers.length);
			for (const id of alarmIds) {
				const events = journal.filter(({ alarmId, kind }) => alarmId === id && kind === 'raised').length;
				expect(raisesTold(disturbed, id), `seed ${seed}, alarm ${id}`).toBeGreaterThanOrEqual(events);
				expect(raisesTold(quiet, id), `seed ${seed}, alarm ${id}`).toBe(events);
				const acked = (await disturbed.rows(id))?.operator?.ackedOccurrence ?? 0;
				expect(acked, `seed ${seed}, alarm ${id}`).toBe(Math.max(0, ...(outcome.acknowledgements.get(id) ?? [])));
				raised += events;
			}
			crashes += outcome.hasCrashed ? 1 : 0;
		}
		expect(raised).toBeGreaterThan(runs * 5);
		expect(crashes).toBeGreaterThan(runs / 4);
	});
}

/** A plant with three alarms over two variables, whose values change and end at random. */
async function makePlant(stores: PlantStores, seed: number, name: string): Promise<Plant> {
	const random = randomFrom(seed);
	const plant = makeTickPlant(stores, `${name}-${seed}`);
	await plant.saveVariable(1);
	await plant.saveVariable(2);
	const severity = random.pick(['info', 'critical'] as const);
	await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 5, noDataSeconds: 60, severity });
	await plant.saveAlarm(12, { varId: 1, condition: '<', threshold: 3, onDelaySeconds: 20, offDelaySeconds: 30 });
	await plant.saveAlarm(13, { varId: 2, condition: '>', threshold: 5, deadband: 2, noDataSeconds: 0 });
	for (const topic of ['topic-1', 'topic-2'])
		for (let at = plantStart - 2 * minuteMs; at < plantStart + 31 * minuteMs; ) {
			const until = at + random.integer(10, 400) * 1000;
			const value = random.integer(0, 8);
			if (random.chance(0.8)) plant.feed(topic, at, until, () => value, { everyMs: 10_000 });
			at = until;
		}
	await plant.runTick();
	return plant;
}

async function runQuietly(plant: Plant): Promise<void> {
	for (const minutes of [...tickMinutes, ...flushMinutes]) {
		plant.clock.now = plantStart + minutes * minuteMs;
		const { errors, outcome } = await plant.runTick();
		if (errors.length > 0 || outcome !== 'done')
			throw new Error('The undisturbed plant was not evaluated.', { cause: errors[0] });
	}
}

async function runDisturbed(plant: Plant, random: Random, seed: number) {
	const acknowledgements = new Map<number, number[]>();
	let hasCrashed = false;
	for (const minutes of tickMinutes) {
		plant.clock.now = Math.max(plant.clock.now, plantStart + minutes * minuteMs);
		if (random.chance(0.4)) {
			await plant.runTick();
			continue;
		}
		const scheduler = new Scheduler(numbersFrom(seed + minutes));
		const kind = random.pick(['dies before', 'dies after', 'answer lost', 'fails'] as const);
		const crash = { write: random.integer(0, 14), kind };
		const turn = () => scheduler.turn();
		const first = crashingAlarmStore(plant.alarms, { crash, turn });
		const crashing = plant.runTick({ alarms: first.alarms });
		/** What goes on beside it, and must not fail. */
		const others: Promise<unknown>[] = [];
		const hasSecond = random.chance(0.5);
		const secondStart = random.integer(0, 40);
		if (hasSecond)
			others.push(
				(async () => {
					for (let turns = 0; turns < secondStart; turns += 1) await turn();
					// The first evaluator is slow, so its lease expires.
					plant.clock.now += 61_000;
					await plant.runTick({ alarms: crashingAlarmStore(plant.alarms, { turn }).alarms });
				})(),
			);
		const acknowledged = random.pick(alarmIds);
		const ackStart = random.integer(0, 30);
		others.push(
			(async () => {
				for (let turns = 0; turns < ackStart; turns += 1) await turn();
				await acknowledge(plant, acknowledged, acknowledgements);
			})(),
		);
		await scheduler.runAll([crashing, ...others]);
		await Promise.all(others);
		hasCrashed ||= first.writes() > crash.write;
	}
	// Ticks without a disturbance end everything that is open.
	for (const minutes of [34, ...flushMinutes]) {
		plant.clock.now = plantStart + minutes * minuteMs;
		await plant.runTick();
	}
	return { acknowledgements, hasCrashed };
}

/** Acknowledges the occurrence that is stored, and adds it to those of the alarm in `acknowledgements`. */
async function acknowledge(plant: Plant, alarmId: number, acknowledgements: Map<number, number[]>): Promise<void> {
	const rows = await plant.rows(alarmId);
	if (rows?.state == null || rows.state.occurrence === 0) return;
	const { occurrence } = rows.state;
	const operator = rows.operator ?? noOperatorState;
	const put = {
		...operator,
		rowVersion: operator.rowVersion + 1,
		n: operator.n + 1,
		ackedOccurrence: occurrence,
		ackedBy: 'ana@utility.example',
		ackedAt: plant.clock.now,
	};
	const outcome = await plant.alarms.commit(plant.schema, {
		alarmId,
		operator: { expected: rows.operator?.rowVersion ?? null, put },
	});
	if (outcome !== 'committed') throw new Error('An acknowledgement conflicts with an evaluation.');
	acknowledgements.set(alarmId, [...(acknowledgements.get(alarmId) ?? []), occurrence]);
}

const evaluatorEvents = (events: readonly AlarmEvent[]) => events.filter(({ origin }) => origin.writer === 'evaluator');

const withoutClock = ({ recordedAt: _recordedAt, ...event }: AlarmEvent) => event;

const raisesTold = ({ sent }: Plant, alarmId: number): number =>
	sent.flatMap(({ alarms }) => alarms).reduce((sum, { id, raises }) => sum + (id === alarmId ? raises : 0), 0);
