import { expect, test } from 'vitest';
import { ownershipsOf } from '#adapters/owner-key.ts';

test('owners that cannot be read cost one row: the days of the reports of all schemas are stored by this list', () => {
	const stored = [
		{ key: 'schema#plant_b', clientId: 'of a newer release' },
		{ key: 'cell#north', clientId: 7 },
		{ key: 'schema#plant_c' },
		{ key: 'schema#plant_a', clientId: 3 },
	];
	expect(ownershipsOf(stored)).toEqual([
		{ kind: 'schema', name: 'plant_a', clientId: 3 },
		{ kind: 'schema', name: 'plant_b', clientId: -1 },
		{ kind: 'schema', name: 'plant_c', clientId: -1 },
	]);
});
