import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tags } from '#domain/variable/tags.ts';
import { nameOf, unknownPlaceholders, usualPattern } from '#page/screens/variable-editor/add/name-pattern.ts';
import { partsOf } from '#page/screens/variable-editor/add/topic-path.ts';
import { readVectors } from '#test/support/vectors.ts';

interface NameCase {
	readonly pattern: string;
	readonly topic: string;
	readonly field: string;
	/** Left out: none. */
	readonly tags?: Tags;
	readonly name: string;
}

const noTags = { tags: {}, queryTags: {} };

const series = fc.record({
	topic: fc.array(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/')),
	field: fc.constantFrom('value', 'running', 'hours'),
	tags: fc.constant({}),
	queryTags: fc.constant({}),
});

describe('names by a pattern', () => {
	test.each(readVectors<NameCase>('topic-names'))('$pattern of $topic is $name', ({ pattern, topic, field, tags = {}, name }) => {
		expect(nameOf(pattern, { topic, field, tags, queryTags: { slave_id: '', ...tags } })).toBe(name);
	});

	test('have no spaces at the ends or beside each other, and a pattern without places is itself', () => {
		fc.assert(
			fc.property(series, fc.string(), (each, text) => {
				expect(nameOf(`{1} ${text} {3}`, each)).not.toMatch(/^\s|\s$|\s\s/);
				const plain = text.replace(/[{}]/g, '');
				expect(nameOf(plain, each)).toBe(plain.replace(/\s+/g, ' ').trim());
			}),
		);
	});

	test('by the usual pattern hold every part of a topic, and no place of it is unknown', () => {
		fc.assert(
			fc.property(fc.array(series, { minLength: 1, maxLength: 8 }), (all) => {
				const pattern = usualPattern(all);
				expect(unknownPlaceholders(pattern, all).filter((place) => place !== '{1}')).toEqual([]);
				for (const each of all)
					for (const part of partsOf(each.topic)) expect(nameOf(pattern, each)).toContain(part.replace(/\s+/g, ' ').trim());
			}),
		);
	});

	test('name the places that no topic has', () => {
		const wells = [
			{ topic: 'wells/1/flow', field: 'value', ...noTags },
			{ topic: 'rain', field: 'value', ...noTags },
		];
		expect(unknownPlaceholders('{1} {3} {4} {0} {x} {field} {}', wells)).toEqual(['{4}', '{0}', '{x}', '{}']);
		expect(usualPattern(wells)).toBe('{1} {2} {3}');
		expect(usualPattern([{ topic: 'well_3', field: 'level', ...noTags }])).toBe('{1} {field}');
		const device = { topic: 'modbus', field: 'flow', tags: { host: 'gw', slave_id: '1' }, queryTags: { slave_id: '1' } };
		expect(usualPattern([device])).toBe('{1} {slave_id} {field}');
		expect(unknownPlaceholders('{host} {slave_id} {slave}', [device])).toEqual(['{slave}']);
	});
});
