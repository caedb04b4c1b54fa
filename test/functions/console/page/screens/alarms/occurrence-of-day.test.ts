import { expect, test } from 'vitest';
import { ordinalOf } from '#page/screens/alarms/journal-words.ts';
import { alarmText } from '#page/screens/alarms/texts.ts';

const entry = (kind: 'raised' | 'cleared' | 'acknowledged', occurrence: number) => ({ kind, occurrence });

test('counts the times that an alarm was raised, up to the occurrence', () => {
	const entries = [
		...[entry('raised', 38), entry('cleared', 37), entry('acknowledged', 37), entry('raised', 37), entry('cleared', 36)],
		...[entry('raised', 36), entry('cleared', 35)],
	];
	expect([36, 37, 38].map((occurrence) => ordinalOf(occurrence, entries))).toEqual([1, 2, 3]);
	// Cleared today, but raised on another day.
	expect(ordinalOf(35, entries)).toBeNull();
	// Raised after the entries were read.
	expect(ordinalOf(39, entries)).toBeNull();
	expect(ordinalOf(1, [])).toBeNull();
});

test.each([
	[1, '1st'],
	[2, '2nd'],
	[3, '3rd'],
	[4, '4th'],
	[11, '11th'],
	[12, '12th'],
	[21, '21st'],
])('tells place %d as %s', (place, word) => {
	expect(alarmText().ofToday(place)).toBe(`${word} of today`);
});
