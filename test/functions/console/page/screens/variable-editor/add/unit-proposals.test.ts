import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { proposalsOf } from '#page/screens/variable-editor/add/unit-proposals.ts';
import { readVectors } from '#test/support/vectors.ts';

interface UnitCase {
	readonly reason: string;
	readonly stored: readonly (readonly [topic: string, field: string, unit: string])[];
	readonly topic: string;
	readonly field: string;
	readonly unit: string | null;
}

const sources = fc.array(
	fc.record({
		topic: fc
			.array(fc.constantFrom('a', 'b', 'level', '7', 'Flow'), { minLength: 1, maxLength: 4 })
			.map((parts) => parts.join('/')),
		field: fc.constantFrom('value', 'hours'),
		unit: fc.constantFrom('m', 'bar', 'h', ''),
	}),
	{ minLength: 1, maxLength: 12 },
);

describe('the unit of a series', () => {
	test.each(readVectors<UnitCase>('unit-proposals'))('$reason', ({ stored, unit, ...series }) => {
		const known = stored.map(([topic, field, each]) => ({ topic, field, unit: each }));
		expect(proposalsOf(known)(series)).toBe(unit);
	});

	test('is one of those that are stored, and its own where a path has one unit', () => {
		fc.assert(
			fc.property(sources, (known) => {
				const propose = proposalsOf(known);
				for (const { topic, field } of known) {
					const own = new Set(known.filter((each) => each.topic === topic && each.field === field).map(({ unit }) => unit));
					const proposed = propose({ topic, field });
					if (proposed !== null) expect(known.map(({ unit }) => unit)).toContain(proposed);
					const alone = known.filter((each) => each.unit !== '').length === 1 && own.size === 1 && !own.has('');
					if (alone && /[a-z]/i.test(topic)) expect(own).toContain(proposed);
				}
			}),
		);
	});
});
