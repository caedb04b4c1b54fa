import { expect, test } from 'vitest';
import { makeTickPlant, plantStart } from '#test/support/alarms/tick-plant.ts';
import { consumedBy } from '#test/support/servers/consumed-capacity.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

const minuteMs = 60_000;

describeDynamo('a tick on DynamoDB', () => {
	test('takes 3 reads and 2 writes where nothing happens, whatever was evaluated before', { timeout: 120_000 }, async () => {
		const adapters = await openAdapters();
		const plant = makeTickPlant(adapters);
		for (let id = 1; id <= 5; id += 1) {
			await plant.saveVariable(id);
			await plant.saveAlarm(10 + id, { varId: id, condition: '>', threshold: 10 });
			plant.feed(`topic-${id}`, plantStart - 2 * minuteMs, plantStart + 10 * minuteMs, () => (id === 1 ? 11 : 9));
		}
		await plant.runTick();
		expect(plant.sent).toHaveLength(1);
		for (let minute = 0; minute < 3; minute += 1) {
			plant.clock.now += minuteMs;
			const consumed = await consumedBy(adapters.dynamo, async () => {
				expect(await plant.runTick()).toMatchObject({ outcome: 'done', errors: [] });
			});
			// The lease, and the progress with its release; the revision of the schema, its alarms and their rows. Small rows are 1 unit each.
			expect(consumed).toEqual({ requests: 5, units: 5 });
		}
		adapters.dynamo.close();
	});
});
