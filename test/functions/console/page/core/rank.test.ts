import { describe, expect, test } from 'vitest';
import { rankOf } from '#page/core/rank.ts';

describe('the rank of a variable', () => {
	const fresh = 'active_unacknowledged';
	const seen = 'active_acknowledged';

	test('is by rank: new alarms of severity 1 and 2, seen ones, faults of the data, info, good', () => {
		const ranked = [
			rankOf('good', { severity: 'critical', state: fresh }),
			rankOf('good', { severity: 'warning', state: fresh }),
			rankOf('good', { severity: 'critical', state: seen }),
			rankOf('good', { severity: 'warning', state: seen }),
			rankOf('bad', null),
			rankOf('missing_reference', null),
			rankOf('no_data', null),
			rankOf('stale', null),
			rankOf('skipped', null),
			rankOf('good', { severity: 'info', state: seen }),
			rankOf('good', null),
		];
		expect(ranked).toEqual(ranked.toSorted((a, b) => a - b));
		expect(new Set(ranked).size).toBe(ranked.length);
	});

	test('counts the worse of an alarm and a fault, and nothing where nothing was read', () => {
		expect(rankOf('bad', { severity: 'info', state: seen })).toBe(rankOf('bad', null));
		expect(rankOf('stale', { severity: 'warning', state: seen })).toBe(rankOf('good', { severity: 'warning', state: seen }));
		expect(rankOf(undefined, null)).toBe(rankOf('good', null));
	});
});
