import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowOfKind, serializeRow } from '#adapters/stored-row.ts';
import { toErrorResponse } from '#http/error-response.ts';
import { makeVariableRow } from '#test/support/builders/builders.ts';

describe('a stored row', () => {
	test('is read as it was written', () => {
		const row = makeVariableRow(7);
		expect(rowOfKind('variable', serializeRow(row))).toEqual(row);
	});

	test('that is damaged is a fault, never the fault of whoever asks', () => {
		const stored = JSON.parse(serializeRow(makeVariableRow(7)));
		const damages = [
			'',
			'{',
			'null',
			JSON.stringify({ ...stored, kind: 'nothing' }),
			JSON.stringify({ ...stored, content: { ...stored.content, name: '' } }),
			JSON.stringify({ ...stored, kind: 'panel' }),
		];
		for (const text of damages) {
			let thrown: unknown;
			try {
				rowOfKind('variable', text);
			} catch (error) {
				thrown = error;
			}
			expect(toErrorResponse(thrown, 'r')).toMatchObject({ answer: { status: 500 }, level: 'fault' });
		}
	});

	test('of any damage is refused or whole', () => {
		const text = serializeRow(makeVariableRow(7));
		fc.assert(
			fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
				const damaged = text.slice(0, at) + character + text.slice(at + 1);
				try {
					expect(serializeRow(rowOfKind('variable', damaged))).toEqual(expect.any(String));
				} catch (error) {
					expect(toErrorResponse(error, 'r').answer.status).toBe(500);
				}
			}),
		);
	});
});
