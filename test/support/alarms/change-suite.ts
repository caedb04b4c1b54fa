import { beforeEach, describe, expect, test } from 'vitest';
import { noOperatorState } from '#domain/alarm-rows/alarm-rows.ts';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { saveAlarm } from '#domain/use-cases/save-alarm.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { firstSeed } from '#test/support/cases.ts';
import { makeAlarmBody, makeQuery, makeVariable } from '../builders/builders.ts';
import { crashingAlarmStore } from '../fakes/crashing-alarm-store.ts';
import { randomFrom, Scheduler } from '../fakes/scheduler.ts';
import { makeTickPlant, type PlantStores, plantStart } from './tick-plant.ts';

const minuteMs = 60_000;
const query = makeQuery({ calc_topic: 'topic-1', calc_time: 1, calc_period: 1, calc_unit_period: 's' });

/**
 * Changes alarms by the use cases of clients while a tick evaluates them, in a random order of steps. The value passes the threshold in
 * that tick.
 * @param times number of random orders of each change
 * @param raises number of times that 200 alarms are raised at once, which takes longest
 */
export function changeSuite(openStores: () => PlantStores, times: number, raises = Math.ceil(times / 25)): void {
	const stores = openStores();
	const seeds = Array.from({ length: times }, (_, index) => firstSeed + index);
	let plants = 0;
	let plant: ReturnType<typeof makeTickPlant>;
	let varId: number;
	/**
	 * What was committed, in order: versions of alarms in events of the evaluator, and the changes of clients. A commit has the place at
	 * which it began: of two that overlap, the first to commit may be the last to be answered.
	 */
	let committed: (number | 'changed')[];
	beforeEach(() => {
		plants += 1;
	});

	const writing = () => ({
		store: plant.store,
		alarms: plant.alarms,
		pause: async () => undefined,
		now: plant.deps.now,
		origin: testOrigin,
	});
	const author = () => ({ schema: plant.schema, database: 'db', email: 'ana@utility.example' });
	const save = async (overrides: Readonly<Record<string, unknown>> = {}): Promise<number> => {
		const body = makeAlarmBody({ varId, threshold: 10, offDelaySeconds: 10, ...overrides });
		return (await saveAlarm(writing(), author(), boardOf('alarm', parseBoard('alarm', body)))).board.content.id;
	};
	/** Makes a plant with some alarms that the next tick raises. Returns their ids. */
	const open = async (name: string, seed: number, { alarmCount = 1 } = {}): Promise<readonly number[]> => {
		plant = makeTickPlant(stores, `${name}-${plants}-${seed}`);
		committed = [];
		const row = await saveVariable(
			writing(),
			plant.schema,
			makeVariable({ name: 'Level', unit: 'm', varsTsdb: { Level: query } }),
		);
		varId = row.variable.id;
		const ids: number[] = [];
		for (let index = 0; index < alarmCount; index += 1) ids.push(await save());
		plant.feed('topic-1', plantStart - minuteMs, plantStart + 20 * minuteMs, (time) => (time < plantStart ? 9 : 11), {
			everyMs: 5000,
		});
		await plant.runTick();
		plant.clock.now += minuteMs;
		return ids;
	};
	/** Records what the evaluator commits. */
	const recorded = (alarms: AlarmStore): AlarmStore => ({
		...alarms,
		commit: async (schema, commit) => {
			const place = committed.length;
			const outcome = await alarms.commit(schema, commit);
			const versions = (commit.events ?? []).flatMap(({ alarm, kind }) =>
				(kind === 'raised' || kind === 'cleared') && alarm !== null ? [alarm.version] : [],
			);
			if (outcome === 'committed') committed.splice(place, 0, ...versions);
			return outcome;
		},
	});
	/** Runs a tick, and a change once the tick has taken some of its steps, or all. */
	const tickDuring = async (seed: number, change: () => Promise<unknown>): Promise<void> => {
		const scheduler = new Scheduler(randomFrom(seed + 1));
		let left = seed % 25;
		const step = () => {
			left -= 1;
			return scheduler.turn();
		};
		const { alarms } = crashingAlarmStore(recorded(plant.alarms), { turn: step });
		const ticking = plant.runTick({ alarms }).finally(() => {
			left = 0;
		});
		const changing = (async () => {
			while (left > 0) await scheduler.turn();
			await change();
			committed.push('changed');
		})();
		await scheduler.runAll([ticking, changing]);
		expect((await ticking).errors).toEqual([]);
		await changing;
	};
	const twoTicks = async (): Promise<void> => {
		for (let tick = 0; tick < 2; tick += 1) {
			plant.clock.now += minuteMs;
			expect(await plant.runTick({ alarms: recorded(plant.alarms) })).toMatchObject({ outcome: 'done', errors: [] });
		}
	};
	const raisedOf = async (id: number) =>
		(await plant.events()).filter(({ alarmId, kind }) => alarmId === id && kind === 'raised');
	const versionsAfter = () => committed.slice(committed.indexOf('changed') + 1);

	const timeout = 60_000 + times * 6000;

	describe(`during a tick, ${times} times from seed ${firstSeed} on`, { timeout }, () => {
		test('an alarm is saved: no event of the old definition comes after it', async () => {
			const firsts = new Set<unknown>();
			for (const seed of seeds) {
				const [id = 0] = await open('saved', seed);
				await tickDuring(seed, () => save({ id, threshold: seed % 2 === 0 ? 100 : 5 }));
				await twoTicks();
				expect(versionsAfter(), `seed ${seed}`).not.toContain(1);
				const { state } = (await plant.rows(id)) ?? {};
				expect(state?.cause, `seed ${seed}`).toBe(seed % 2 === 0 ? null : 'condition');
				firsts.add(committed[0]);
			}
			// Both orders were met.
			if (times > 20) expect(firsts).toEqual(new Set([1, 'changed']));
		});

		test.each([
			['an alarm', (id: number) => deleteBoard(writing(), plant.schema, { kind: 'alarm', id })],
			['its variable', () => deleteVariable(writing(), plant.schema, varId)],
		] as const)('%s is deleted: after two ticks nothing is left of the alarm', async (_, remove) => {
			for (const seed of seeds) {
				const [id = 0] = await open('deleted', seed);
				await tickDuring(seed, () => remove(id));
				await twoTicks();
				expect(await plant.rows(id), `seed ${seed}`).toBeUndefined();
				expect(versionsAfter(), `seed ${seed}`).toEqual([]);
				const ends = (await plant.events()).filter(({ kind }) => kind === 'cleared');
				expect(ends.map(({ cause }) => cause)).toEqual((await raisedOf(id)).map(() => 'deleted'));
			}
		});

		test('a shelf ends, and an operator shelves the alarm again: it is told, or shelved', async () => {
			for (const seed of seeds) {
				const [id = 0] = await open('shelved', seed);
				const shelf = {
					...noOperatorState,
					rowVersion: 1,
					n: 1,
					shelvedUntil: plant.clock.now,
					shelvedBy: 'ana',
					reason: 'works',
				};
				await plant.alarms.commit(plant.schema, { alarmId: id, operator: { expected: null, put: shelf } });
				let isAgain = false;
				await tickDuring(seed, async () => {
					const put = { ...shelf, rowVersion: 2, n: 2, shelvedUntil: plant.clock.now + 600_000 };
					const outcome = await plant.alarms.commit(plant.schema, { alarmId: id, operator: { expected: 1, put } });
					isAgain = outcome === 'committed';
				});
				await twoTicks();
				const ended = (await plant.events()).filter(({ kind }) => kind === 'unshelved');
				expect(ended.length, `seed ${seed}`).toBe(isAgain ? 0 : 1);
				// An alarm that was shelved again may have been told before.
				if (!isAgain) expect(plant.sent.flatMap(({ alarms }) => alarms).length, `seed ${seed}`).toBeGreaterThan(0);
				expect(await raisedOf(id), `seed ${seed}`).toHaveLength(1);
			}
		});
	});

	test(`200 alarms are raised at once while others are saved: each is raised and told once, ${raises} times from seed ${firstSeed} on`, {
		timeout,
	}, async () => {
		for (const seed of seeds.slice(0, raises)) {
			const ids = await open('raises', seed, { alarmCount: 200 });
			const changed = ids[seed % 200] ?? 0;
			await tickDuring(seed, () => save({ id: changed, threshold: 8 }));
			await twoTicks();
			const { rows } = await plant.alarms.rowsOf(plant.schema, ids);
			const states = ids.map((id) => rows.get(id)?.state);
			expect(states.map((state) => [state?.cause, state?.occurrence])).toEqual(ids.map(() => ['condition', 1]));
			const told = plant.sent.flatMap(({ alarms }) =>
				alarms.flatMap(({ id, raises }) => Array.from({ length: raises }, () => id)),
			);
			expect(told.sort((a, b) => a - b)).toEqual(ids);
		}
	});
}
