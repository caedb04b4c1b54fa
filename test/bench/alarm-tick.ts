import { observedInputsOf, readPiece } from '#domain/alarm/piece.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { makeTickPlant, plantStart, settleMs } from '#test/support/alarms/tick-plant.ts';
import { makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { createBucket, type Influxd, writeLines } from '#test/support/servers/influxd.ts';
import { alternate, type BenchRow, ratioRow, sizeOf } from './row.ts';

const database = 'bench-alarms';
const alarms = sizeOf(100, 2);
const minuteMs = 60_000;
const sampleEveryMs = 5000;
const rounds = sizeOf(12, 1);

/** Compares a quiet tick of 100 alarms over 200 series with the reads of that tick alone. */
export const benchAlarmTick = async (influxd: Influxd, timeSeries: TimeSeries): Promise<readonly BenchRow[]> => {
	await createBucket(influxd, database);
	const plant = makeTickPlant();
	const minutes = 3 * rounds;
	for (let id = 1; id <= alarms; id += 1) {
		const topics = [`pump-${id}/flow`, `pump-${id}/power`];
		const queries = topics.map((calc_topic) => makeQuery({ calc_topic, calc_period: 5, calc_unit_period: 's' }));
		const varsTsdb = { a: queries[0], b: queries[1] };
		await plant.saveVariable(id, makeCalculatedBody('a + b', { varsTsdb }));
		await plant.saveAlarm(1000 + id, { varId: id, condition: '>', threshold: 1000 }, database);
		for (const topic of topics) {
			const times = Array.from({ length: (minutes * minuteMs) / sampleEveryMs }, (_, step) => plantStart + step * sampleEveryMs);
			const lines = times.map((time, step) => `${topic} value=${(step * 37 + id) % 100} ${BigInt(time) * 1_000_000n}`);
			await writeLines(influxd, database, lines.join('\n'));
		}
	}
	plant.clock.now += 2 * minuteMs;
	await plant.runTick({ timeSeries });
	const inputs = (await plant.variables()).flatMap(observedInputsOf);
	const ours = async (): Promise<void> => {
		plant.clock.now += minuteMs;
		const { outcome, errors } = await plant.runTick({ timeSeries });
		if (outcome !== 'done') throw new Error('A tick was not done.', { cause: errors[0] });
	};
	const theirs = async (): Promise<void> => {
		const to = plant.clock.now - settleMs;
		const reads = await readPiece(timeSeries, database, inputs, { from: to - minuteMs, to, stepMs: 1000 });
		for (const input of inputs) reads(input);
	};
	const times = await alternate(ours, theirs, rounds);
	return [ratioRow(`tick of ${alarms} alarms over ${2 * alarms} series`, 'the same reads alone', times, { maxRatio: 1.3 })];
};
