import { call, callUnchecked, signIn } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { type BenchRow, median, sizeOf, timeOf } from './row.ts';

const variables = sizeOf(40, 2);
const samplesPerTopic = sizeOf(1440, 10);
const rounds = sizeOf(15, 1);

/** Compares reading 40 variables over HTTP in one batch with reading them one by one: newest values, then histories. */
export const benchBatch = async (): Promise<readonly BenchRow[]> => {
	const target = await openLocalTarget();
	try {
		const token = await signIn(target, 'a');
		const now = Date.now();
		const topics = Array.from({ length: variables }, (_, index) => `bench/${index}`);
		for (const topic of topics) {
			const lines = Array.from(
				{ length: samplesPerTopic },
				(_, index) => `${topic} value=${index % 97} ${now - 1000 - index * 60_000}`,
			);
			await target.feed('plant_a', lines.join('\n'));
		}
		const rows: BenchRow[] = [];
		for (const type of ['last', 'history'] as const) {
			const query = { calc_time: 24, calc_unit: 'h', calc_period: 10, calc_unit_period: 'm', calc_type_period: 'mean' } as const;
			const ids: number[] = [];
			for (const calc_topic of topics) {
				const varsTsdb = { Flow: makeQuery(type === 'last' ? { calc_topic } : { ...query, calc_topic }) };
				ids.push((await call(target, 'POST', '/saveVariable', { token, body: makeBody({ type, varsTsdb }) })).body.data.id);
			}
			const read = (ids: readonly number[]) => callUnchecked(target, 'POST', '/multipleDataTsdb', { token, body: { ids } });
			const batch: number[] = [];
			const single: number[] = [];
			// The first read is slower: it fills the caches.
			await read(ids);
			for (let round = 0; round < rounds; round += 1) {
				batch.push(await timeOf(() => read(ids)));
				single.push(
					await timeOf(async () => {
						for (const id of ids) await read([id]);
					}),
				);
			}
			const batchMs = median(batch);
			const singleMs = median(single);
			rows.push({
				name: `batch of ${variables}, type ${type}`,
				baseline: 'one by one',
				measured: `${batchMs.toFixed(1)} ms against ${singleMs.toFixed(1)} ms`,
				ratio: batchMs / singleMs,
				budget: 'under 1x',
				met: batchMs < singleMs,
			});
		}
		return rows;
	} finally {
		await target.close();
	}
};
