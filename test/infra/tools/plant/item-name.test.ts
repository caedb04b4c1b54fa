import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseName, writeName } from '#infra/tools/plant/item-name.ts';
import { byCodePoint } from '#infra/tools/plant/json.ts';

const names = fc.oneof(
	fc.string({ unit: 'binary' }).filter((name) => name.isWellFormed()),
	fc.array(fc.constantFrom('#', '##', '1', '12', 'a', 'é')).map((parts) => parts.join('')),
);
const items = fc.record({ name: names.map((name) => name.normalize('NFC')), id: fc.option(fc.nat(), { nil: undefined }) });

test('each name and id has one text, which is read as the same', () => {
	fc.assert(
		fc.property(items, ({ name, id }) => {
			const item = id === undefined ? { name } : { name, id };
			expect(parseName(writeName(item))).toEqual(item);
		}),
		{ numRuns: 5000 },
	);
});

test('each text names one item, and is written as the same', () => {
	fc.assert(
		fc.property(names, (text) => {
			const item = parseName(text);
			expect(parseName(writeName(item))).toEqual(item);
		}),
		{ numRuns: 5000 },
	);
});

test('a name with an id and one that only looks so are different texts', () => {
	expect(writeName({ name: 'Pump', id: 12 })).toBe('Pump#12');
	expect(writeName({ name: 'Pump#12' })).toBe('Pump##12');
	expect(writeName({ name: 'Pump #2', id: 7 })).toBe('Pump ##2#7');
	expect(writeName({ name: 'e\u0301' })).toBe('é');
});

test('texts are ordered by code points, not by UTF-16 units', () => {
	expect(['\u{1d49c}', '\uffee', 'a'].sort(byCodePoint)).toEqual(['a', '\uffee', '\u{1d49c}']);
});
