import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { badCharacterIn } from '#domain/validation/text-form.ts';

const characterOf = (text: string, form: 'line' | 'lines' | 'any' = 'line') => badCharacterIn(text, form)?.params['character'];

describe('control characters', () => {
	test.each([
		['a\0b', 'U+0000'],
		['\u0007', 'U+0007'],
		['a\u001fb', 'U+001F'],
		['a b', undefined],
		['a~b', undefined],
		['a\u007fb', 'U+007F'],
		['a\u009fb', 'U+009F'],
		['a\u00a0b', undefined],
		['a\u2027b', undefined],
		['a\u2028b', 'U+2028'],
		['a\u2029b', 'U+2029'],
		['m³/h · ñ · \u200d · عربي · עברית · \u200e\u200f\u061c', undefined],
	])('%j: %s', (value, character) => {
		expect(characterOf(value)).toBe(character);
		expect(characterOf(value, 'any')).toBeUndefined();
	});

	test.each(['\n', '\r\n', '\t', '\u2028', '\u2029'])('%j may be in a text of several lines, and in no other', (value) => {
		expect(characterOf(`a${value}b`, 'lines')).toBeUndefined();
		expect(characterOf(`a${value}b`)).toBeDefined();
		expect(characterOf(`a${value}\0`, 'lines')).toBe('U+0000');
	});
});

describe('marks of direction', () => {
	test.each([
		['an override that is open', '\u202eabc', 'U+202E'],
		['one that is ended', '\u202eabc\u202c', undefined],
		['an isolate that is open', 'a\u2066b', 'U+2066'],
		['one that is ended', 'a\u2066b\u2069', undefined],
		['an embedding, of which only one of two is ended', '\u202a\u202bx\u202c', 'U+202A'],
		['an isolate that ends the embedding in it', '\u2067\u202bx\u2069', undefined],
		['an embedding that an isolate cannot end', '\u202b\u2067x\u202c\u2069', 'U+202C'],
		['an end without a start', 'x\u202c', 'U+202C'],
		['an end of an isolate without a start', '\u202ax\u2069', 'U+2069'],
		['ends before their starts', '\u2069\u2068', 'U+2069'],
	])('%s', (_, value, character) => {
		expect(characterOf(value)).toBe(character);
		expect(characterOf(value, 'lines')).toBe(character);
	});

	test('are harmless where a text is built of whole parts, and are found where one is cut off', () => {
		const letters = fc.string({ unit: fc.constantFrom('a', ' ', 'é', 'ع') });
		const whole = fc.letrec<{ text: string; part: string }>((tie) => ({
			text: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
			part: fc.oneof(
				{ maxDepth: 4 },
				letters,
				fc
					.tuple(fc.constantFrom('\u202a', '\u202b', '\u202d', '\u202e'), tie('text'))
					.map(([mark, inner]) => `${mark}${inner}\u202c`),
				fc.tuple(fc.constantFrom('\u2066', '\u2067', '\u2068'), tie('text')).map(([mark, inner]) => `${mark}${inner}\u2069`),
			),
		})).text;
		fc.assert(
			fc.property(whole, fc.nat(), (value, place) => {
				expect(badCharacterIn(value, 'line')).toBeUndefined();
				const marks = [...value.matchAll(/[\u202a-\u202e\u2066-\u2069]/g)];
				const lost = marks[place % marks.length];
				// An isolate also ends the embeddings in it, so the end of one of these may be lost.
				if (lost === undefined || (lost[0] === '\u202c' && value.includes('\u2069'))) return;
				expect(badCharacterIn(value.slice(0, lost.index) + value.slice(lost.index + 1), 'line')).toBeDefined();
			}),
			{ numRuns: 1000 },
		);
	});
});
