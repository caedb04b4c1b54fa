import { describe, expect, test } from 'vitest';
import { differencesOf, mergedDraft } from '#page/core/draft-fields.ts';
import { type Draft, emptyDraft, emptyQuery } from '#page/screens/variable-editor/draft.ts';
import { variableFields } from '#page/screens/variable-editor/variable-fields.ts';

const query = { ...emptyQuery, topic: 'plant/flow', lookback: '12' };
const base: Draft = {
	...emptyDraft,
	...{ id: 23, name: 'Efficiency', unit: '%', process: 'filtration', kind: 'formula', formula: '{a} / {b}' },
	inputs: [
		{ name: 'a', query },
		{ name: 'b', query },
	],
};
const words = {
	labels: {
		...{ name: 'Name', unit: 'Unit', process: 'Process', kind: 'Kind' },
		...{ type: 'Type', query: 'Query', formula: 'Formula' },
	},
	query: ({ topic, lookback }: typeof query) => `${topic} ${lookback}`,
	bit: (position: number) => `Bit ${position}`,
	kind: (kind: string) => kind,
	type: (type: string) => type,
};
const theirs: Draft = {
	...base,
	...{ process: 'treatment', formula: '{a} / ({b} - 2)' },
	inputs: [
		{ name: 'a', query },
		{ name: 'b', query: { ...query, lookback: '24' } },
		{ name: 'c', query },
	],
};
const mine: Draft = { ...base, formula: '({a} - 1) / {b}', unit: '1' };

/** Compares two drafts, and merges them by a choice of keys. */
const compare = (theirs: Draft, mine: Draft) => {
	const versions = { base, theirs, mine };
	const fields = variableFields(versions, words);
	const differences = differencesOf(fields, versions);
	return {
		fields: differences.map(({ key, theirs, mine, isMine }) => ({ key, theirs, mine, isMine })),
		sameCount: fields.length - differences.length,
		merged: (keys: readonly string[]) => mergedDraft(fields, versions, new Set(keys)),
	};
};

describe('differencesOf', () => {
	test('lists the fields that differ, and chooses mine only where I changed them', () => {
		expect(compare(theirs, mine)).toMatchObject({
			fields: [
				{ key: 'formula', theirs: theirs.formula, mine: mine.formula, isMine: true },
				{ key: 'input b', theirs: 'plant/flow 24', mine: 'plant/flow 12', isMine: false },
				{ key: 'input c', theirs: 'plant/flow 12', mine: '', isMine: false },
				{ key: 'unit', theirs: '%', mine: '1', isMine: true },
				{ key: 'process', theirs: 'treatment', mine: 'filtration', isMine: false },
			],
			sameCount: 4,
		});
	});

	test('lists nothing where both stored the same', () => {
		expect(compare({ ...mine }, mine).fields).toEqual([]);
	});
});

describe('mergedDraft', () => {
	test('is theirs, with the chosen fields of mine', () => {
		const merged = compare(theirs, mine).merged(['formula', 'input c']);
		expect(merged).toMatchObject({ formula: mine.formula, unit: '%', process: 'treatment' });
		expect(merged.inputs.map(({ name, query: { lookback } }) => `${name} ${lookback}`)).toEqual(['a 12', 'b 24']);
	});

	test('is theirs without a choice, and mine with all of them', () => {
		const { fields, merged } = compare(theirs, mine);
		expect(merged([])).toEqual(theirs);
		expect(merged(fields.map(({ key }) => key))).toEqual(mine);
	});

	test('takes bits one by one', () => {
		const bits = (...names: string[]) => names.map((name, bit) => ({ id: bit + 1, name, bit }));
		const byte: Draft = { ...base, kind: 'byte', inputs: [] };
		const { merged } = compare({ ...byte, bits: bits('Door', 'Power') }, { ...byte, bits: bits('Gate', 'Mains') });
		expect(merged(['bit 2']).bits.map(({ name }) => name)).toEqual(['Door', 'Mains']);
	});
});

test('a bit is called by its position, whatever its id', () => {
	const withBit = (name: string): Draft => ({ ...base, kind: 'byte', inputs: [], bits: [{ id: 12, name, bit: 3 }] });
	const versions = { base: withBit('Door'), theirs: withBit('Door'), mine: withBit('Gate') };
	const [bit] = differencesOf(variableFields(versions, words), versions);
	expect(bit).toMatchObject({ key: 'bit 12', label: 'Bit 3', theirs: 'Bit 3: Door', mine: 'Bit 3: Gate' });
});
