import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PrometheusError } from '#http/prometheus/prometheus-error.ts';
import { parseSelector, selectorOf } from '#http/prometheus/selector.ts';
import vectors from '#test/vectors/prometheus-selectors.json' with { type: 'json' };

const selects = (text: string, labels: Readonly<Record<string, string>>): boolean => selectorOf(parseSelector(text))(labels);

describe('a selector', () => {
	test.each(vectors.parsed)('is parsed: $text', ({ text, matchers }) => {
		expect(parseSelector(text).map(({ name, operator, value }) => `${name} ${operator} ${value}`)).toEqual(matchers);
	});

	test.each(vectors.refused)('is refused: $text', ({ text, message }) => {
		expect(() => parseSelector(text)).toThrow(PrometheusError);
		expect(() => parseSelector(text)).toThrow(message);
	});

	test('matches whole values, and takes a label that is not there for empty text', () => {
		const labels = { __name__: 'caudal_value', id: '13', name: 'Level\nof tank' };
		expect(selects('{id=~"1"}', labels)).toBe(false);
		expect(selects('{id=~"1|13"}', labels)).toBe(true);
		expect(selects('{name=~"Level.of.*"}', labels)).toBe(true);
		expect(selects('{id="13", unit=""}', labels)).toBe(true);
		expect(selects('{id="13", unit!=""}', labels)).toBe(false);
		expect(selects('{id="13", unit=~".+"}', labels)).toBe(false);
		expect(selects('{id="13", unit!~"m.*"}', labels)).toBe(true);
		expect(selects('{id="13", constructor=""}', labels)).toBe(true);
	});

	test('of any labels and quoted values means those', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ unit: 'binary' }), (value, other) => {
				fc.pre(!/[\r\n]/.test(value));
				const text = `{name=${JSON.stringify(value)}}`;
				expect(selects(text, { name: value })).toBe(true);
				expect(selects(text, { name: other })).toBe(other === value);
			}),
		);
	});

	test('of any text is parsed or refused', () => {
		const part = fc.constantFrom(
			'caudal_value',
			'{',
			'}',
			'id',
			'=',
			'!',
			'~',
			'"a"',
			"'",
			'"',
			',',
			'(',
			'[5m]',
			' ',
			'\n',
			'#',
			'\\',
			'`',
		);
		fc.assert(
			fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
				try {
					expect(parseSelector(parts.join('')).length).toBeGreaterThan(0);
				} catch (error) {
					expect(error).toBeInstanceOf(PrometheusError);
				}
			}),
		);
	});

	test('ends with any pattern: a backtracking engine would take years for each of these', () => {
		const long = 'a'.repeat(200);
		for (const pattern of ['(a+)+b', '(a|aa)*c', '(.*a){20}', '((a{30}){30})', `${'(a*)*'.repeat(50)}b`]) {
			try {
				const matches = selectorOf(parseSelector(`{id="1", name=~"${pattern}"}`));
				for (let each = 0; each < 1000; each += 1) matches({ id: '1', name: long });
			} catch (error) {
				expect(error).toBeInstanceOf(PrometheusError);
			}
		}
		expect(() => parseSelector(`{name=~"${'a'.repeat(1001)}"}`)).toThrow('longer than 1000 characters');
		expect(() => parseSelector(`{name="${'a'.repeat(10_000)}"}`)).toThrow('longer than 10000 characters');
	});
});
