import { describe, expect, test } from 'vitest';
import { journalText } from '#page/screens/alarms/journal-texts.ts';
import { entryDetails, entryIcon, type JournalEntry, journalCsv, journalKinds } from '#page/screens/alarms/journal-words.ts';
import { person } from '#test/support/builders/origin.ts';

const raised: JournalEntry = {
	...{ id: '1', time: '2026-11-22T10:00:00.000Z', recordedAt: '2026-11-22T10:00:15.000Z', alarmId: 7, occurrence: 37 },
	...{ kind: 'raised', cause: 'condition', value: 1.9876543, quality: 'good', inputs: [], comment: null },
	...{ user: null, actors: { user: null } },
	alarm: { name: 'Tank low', severity: 'critical', message: 'Go.', condition: '<', threshold: 2, unit: 'm', version: 1 },
};

describe('an entry of the journal', () => {
	test('tells the value against the threshold, also a value of 0', () => {
		expect(entryDetails(raised)).toBe('1.98765 m · alarm if < 2 m');
		expect(entryDetails({ ...raised, value: 0 })).toBe('0 m · alarm if < 2 m');
	});

	test('tells no threshold that the value as it is shown does not meet', () => {
		expect(entryDetails({ ...raised, value: 2.1 })).toBe('2.1 m');
		expect(entryDetails({ ...raised, value: 1.99999999 })).toBe('2 m');
	});

	test('tells which inputs had no data, who acted, and why', () => {
		expect(entryDetails({ ...raised, cause: 'no_data', value: null, inputs: ['Level', 'Flow'] })).toBe('no data · Level, Flow');
		expect(entryDetails({ ...raised, cause: 'no_data', inputs: ['מפלס'] })).toBe('no data · \u2068מפלס\u2069 · 1.98765 m');
		expect(entryDetails({ ...raised, kind: 'cleared', cause: 'disabled', value: null })).toBe('disabled');
		const by = { cause: null, value: null, actors: { user: person('a@b.example') }, comment: 'on my way' };
		expect(entryDetails({ ...raised, ...by, kind: 'acknowledged' })).toBe('a@b.example · on my way');
	});

	test('has the shape of its severity, filled as the state that it led to; every kind has its own symbol', () => {
		const icons = journalKinds.map((kind) => entryIcon({ ...raised, kind }));
		expect(icons.slice(0, 3)).toEqual(['sev1-new', 'sev1-ret', 'sev1-ack'].map((icon) => expect.stringContaining(icon)));
		expect(new Set(icons).size).toBe(journalKinds.length);
	});
});

test('the journal as CSV has a row an entry, whole numbers, and no formula of a spreadsheet', () => {
	const text = journalText();
	const csv = journalCsv([raised, { ...raised, value: 0, actors: { user: person('=HYPERLINK("x")') }, comment: 'a, b' }], {
		heads: text.csvHeads,
		kinds: text.kinds,
	});
	const [heads = '', first = '', second = ''] = csv.split('\r\n');
	expect(heads.split(',')).toHaveLength(17);
	expect(first).toContain(',7,Tank low,critical,raised,condition,37,1.9876543,m,<,2,good,');
	expect(second).toContain(',37,0,m,<,2,good,,"\'=HYPERLINK(""x"")","a, b"');
});
