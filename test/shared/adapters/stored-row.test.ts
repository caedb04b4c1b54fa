import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowOfKind, serializeRow } from '#adapters/stored-row.ts';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { BoardRow, VariableRow } from '#domain/ports/schema-store.ts';
import { toErrorResponse } from '#http/error-response.ts';
import { boardToJson } from '#http/serialize.ts';
import { makeAlarmBody, makeVariableRow } from '#test/support/builders/builders.ts';

describe('rowOfKind', () => {
	test('reads a row as it was written', () => {
		const row = makeVariableRow(7);
		expect(rowOfKind('variable', serializeRow(row))).toEqual(row);
	});

	test('reads an alarm that was stored before alarms were evaluated, and writes it as it was', () => {
		const content = { id: 7, name: 'A', varId: 1, condition: '>', threshold: 0, severity: 'info', message: 'M' };
		const text = JSON.stringify({ kind: 'alarm', version: 2, stamp: 2, content });
		const row = rowOfKind('alarm', text);
		expect(row.database).toBeUndefined();
		expect(serializeRow(row)).toBe(text);
	});

	test('reads an alarm with every field, and its database beside them', () => {
		const fields = { enabled: false, deadband: 0, onDelaySeconds: 0, offDelaySeconds: 10, noDataSeconds: 0 };
		const board = boardOf('alarm', parseBoard('alarm', makeAlarmBody({ id: 7, ...fields })));
		const row: BoardRow = { kind: 'alarm', version: 1, rowVersion: 1, board, database: 'plant' };
		expect(rowOfKind('alarm', serializeRow(row))).toEqual(row);
		expect(boardToJson(row)).toEqual({ ...makeAlarmBody({ id: 7, ...fields }), version: 1 });
	});

	test('reports a damaged row as a fault (500)', () => {
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
			expect(toErrorResponse(thrown, 'r')).toMatchObject({ status: 500 });
		}
	});

	test('rejects a row with one changed character as a fault, or reads a row that can be written again', () => {
		const text = serializeRow(makeVariableRow(7));
		let accepted = 0;
		fc.assert(
			fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
				let row: VariableRow;
				try {
					row = rowOfKind('variable', text.slice(0, at) + character + text.slice(at + 1));
				} catch (error) {
					expect(toErrorResponse(error, 'r').status).toBe(500);
					return;
				}
				accepted += 1;
				expect(rowOfKind('variable', serializeRow(row))).toEqual(row);
			}),
			{ numRuns: 1000 },
		);
		expect(accepted).toBeGreaterThan(0);
	});
});
