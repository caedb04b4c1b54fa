import { expect, test } from 'vitest';
import { budget, modelTolerance, packUnits, simulateAlarms, simulatePolls } from '#test/support/cost/simulation.ts';
import { alarmUnits, pollUnits } from '#test/support/cost/units.ts';

// Counts, which do not depend on the machine. Of 5,000 tenants a few rounds are enough: nearly all polls miss in each of them.
test.each([
	[1, 300],
	[100, 300],
	[1000, 300],
	[5000, 60],
])(
	'of %i tenants a poll costs at most 10 units in the mean, and the model of the cost is within a tenth of the simulation',
	{
		timeout: 300_000,
	},
	async (tenants, seconds) => {
		const { units } = await simulatePolls(tenants, true, seconds);
		expect(units).toBeLessThanOrEqual(budget);
		expect(Math.abs(pollUnits(tenants, packUnits) / units - 1)).toBeLessThanOrEqual(modelTolerance);
		const alarms = await simulateAlarms(tenants, seconds);
		expect(Math.abs(alarmUnits(tenants) / alarms - 1)).toBeLessThanOrEqual(modelTolerance);
	},
);
