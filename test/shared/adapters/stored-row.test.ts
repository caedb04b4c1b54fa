import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowOfKind, serializeRow } from '#adapters/stored-row.ts';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { type BoardRow, idOfRow, type VariableRow } from '#domain/ports/schema-store.ts';
import { isStandIn, toJson } from '#domain/variable/variable.ts';
import { boardToJson } from '#http/serialize.ts';
import { makeAlarmBody, makeBoardRow, makePanel, makeVariableRow } from '#test/support/builders/builders.ts';

const at = { schema: 's', id: 7, stamp: 1 };
const readVariable = (text: string, stamp = 1): VariableRow => rowOfKind('variable', { ...at, stamp }, text);
const stored = JSON.parse(serializeRow(makeVariableRow(7, { referencedBy: new Map([['chart#3', [1]]]) })));

describe('rowOfKind', () => {
	test('reads a row as it was written', () => {
		const row = makeVariableRow(7);
		expect(readVariable(serializeRow(row))).toEqual(row);
	});

	test('takes the row version that the store compares, not that of the text', () => {
		expect(readVariable(JSON.stringify({ ...stored, stamp: 5 }), 9)).toMatchObject({ rowVersion: 9, version: 1 });
	});

	test('reads an alarm that was stored before alarms were evaluated, and writes it as it was', () => {
		const content = { id: 7, name: 'A', varId: 1, condition: '>', threshold: 0, severity: 'info', message: 'M' };
		const text = JSON.stringify({ kind: 'alarm', version: 2, stamp: 2, content });
		const row = rowOfKind('alarm', { ...at, stamp: 2 }, text);
		expect(row.database).toBeUndefined();
		expect(JSON.parse(serializeRow(row))).toEqual(JSON.parse(text));
	});

	test('reads an alarm with every field, and its database beside them', () => {
		const fields = { enabled: false, deadband: 0, onDelaySeconds: 0, offDelaySeconds: 10, noDataSeconds: 0 };
		const board = boardOf('alarm', parseBoard('alarm', makeAlarmBody({ id: 7, ...fields })));
		const row: BoardRow = { kind: 'alarm', version: 1, rowVersion: 1, board, database: 'plant' };
		expect(rowOfKind('alarm', at, serializeRow(row))).toEqual(row);
		expect(boardToJson(row)).toEqual({ ...makeAlarmBody({ id: 7, ...fields }), version: 1 });
	});
});

describe('a row that cannot be read', () => {
	test.each([
		['no text', '', { name: 'variable 7', referencedBy: new Map() }],
		['half of a text', '{"kind":"variable"', { name: 'variable 7', referencedBy: new Map() }],
		['null', 'null', { name: 'variable 7', referencedBy: new Map() }],
		['another kind', JSON.stringify({ ...stored, kind: 'nothing' }), {}],
		['a kind of row that a newer release knows', JSON.stringify({ ...stored, kind: 'note' }), {}],
		['the row of another id', JSON.stringify({ ...stored, content: { ...stored.content, id: 8 } }), {}],
		[
			'a name without characters',
			JSON.stringify({ ...stored, content: { ...stored.content, name: '' } }),
			{ name: 'variable 7' },
		],
		['a type that a newer release knows', JSON.stringify({ ...stored, content: { ...stored.content, type: 'map' } }), {}],
		['no content', JSON.stringify({ ...stored, content: undefined }), { name: 'variable 7' }],
		['references of another form', JSON.stringify({ ...stored, usedBy: { 'chart#3': [] } }), { referencedBy: new Map() }],
		['a version beyond the number of changes', JSON.stringify({ ...stored, version: 2 ** 60 }), {}],
	])('is its stand-in: %s', (_, text, expected) => {
		const row = readVariable(text);
		const { name, referencedBy } = { name: stored.content.name, referencedBy: new Map([['chart#3', [1]]]), ...expected };
		expect(row).toMatchObject({ kind: 'variable', version: 1, rowVersion: 1, referencedBy, deleting: false });
		expect(row.variable).toMatchObject({ id: 7, name, calc: true, equation: [] });
		expect(isStandIn(row.variable)).toBe(true);
	});

	test.each(boardKinds)('is its stand-in: a %s', (kind) => {
		const good = makeBoardRow(kind, 7);
		const text = JSON.stringify({ ...JSON.parse(serializeRow(good)), content: { ...good.board.content, id: 'seven' } });
		const row = rowOfKind(kind, at, text);
		expect(row).toMatchObject({ kind, version: 1, board: { kind } });
		expect(idOfRow(row)).toBe(7);
		expect(row.unread?.content).toMatchObject({ id: 'seven' });
		expect(row.database).toBeUndefined();
	});

	test('is its stand-in: the panel', () => {
		const text = JSON.stringify({ kind: 'panel', version: 1, stamp: 1, content: { ...makePanel(7), pumps: 'three' } });
		expect(rowOfKind('panel', { ...at, id: 0 }, text)).toMatchObject({
			panel: { title: makePanel(7).title, pumps: [], states: [] },
		});
	});

	test('keeps what is stored when its references change, fields of a newer release too', () => {
		const newer = { ...stored, note: 'kept', content: { ...stored.content, type: 'map' } };
		const row = readVariable(JSON.stringify(newer));
		const changed = JSON.parse(serializeRow({ ...row, rowVersion: 2, referencedBy: new Map() }));
		expect(changed).toEqual({ ...newer, stamp: 2, usedBy: [] });
	});

	test('keeps a text that is no JSON', () => {
		const row = readVariable('half of {');
		const written = serializeRow({ ...row, rowVersion: 2, deleting: true });
		expect(readVariable(written, 2)).toMatchObject({ deleting: true, unread: { content: { text: 'half of {' } } });
	});

	const asWritten = (content: unknown): unknown => JSON.parse(JSON.stringify(content));

	test('with one changed character is a stand-in, or a row that can be written again', () => {
		const text = serializeRow(makeVariableRow(7));
		const counts = { read: 0, unread: 0 };
		fc.assert(
			fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (position, character) => {
				const row = readVariable(text.slice(0, position) + character + text.slice(position + 1));
				counts[row.unread === undefined ? 'read' : 'unread'] += 1;
				const again = readVariable(serializeRow(row));
				// Compared as written: a -0 that the damage made is written as 0.
				if (row.unread === undefined) expect(serializeRow(again)).toBe(serializeRow(row));
				else if (row.unread.content['text'] === undefined)
					// Only what surrounds the content was damaged, and was written anew.
					expect(asWritten(again.unread?.content ?? toJson(again.variable))).toEqual(asWritten(row.unread.content));
			}),
			{ numRuns: 1000 },
		);
		expect(counts.read).toBeGreaterThan(0);
		expect(counts.unread).toBeGreaterThan(0);
	});
});
