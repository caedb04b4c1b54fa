import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headlineOf, jsonOf, smsOf, subjectOf, textOf } from '#domain/alarm/notification-text.ts';
import type { Notification, NotifiedAlarm } from '#domain/ports/notifier.ts';
import vectors from '#test/vectors/notification-texts.json' with { type: 'json' };

const makeNotified = (overrides: Partial<NotifiedAlarm> = {}): NotifiedAlarm => ({
	...{ id: 7, name: 'Network tank low', severity: 'critical', message: 'Start a pump.', condition: '<', threshold: 2, unit: 'm' },
	...{
		kind: 'raised',
		cause: 'condition',
		value: 1.82,
		since: Date.UTC(2026, 0, 5),
		occurrence: 1,
		raises: 1,
		eventId: 'e',
		remindedFrom: null,
	},
	...overrides,
});
const makeNotification = (
	alarms: readonly NotifiedAlarm[],
	{ schema = 'plant_a', timeZone = null }: Partial<Pick<Notification, 'schema' | 'timeZone'>> = {},
): Notification => ({
	...{ schema, kind: 'raised', severity: 'critical', alarms, timeZone },
});

describe('the texts of a message', () => {
	test.each(vectors)('$name', ({ alarms, headline, sms, text }) => {
		const notification = makeNotification(alarms.map((each) => makeNotified(each as Partial<NotifiedAlarm>)));
		expect(headlineOf(notification)).toBe(headline);
		expect(smsOf(notification)).toBe(sms);
		if (text !== undefined) expect(textOf(notification).split('\n')).toEqual(text);
	});

	const readingOf = (overrides: Partial<NotifiedAlarm>) =>
		textOf(makeNotification([makeNotified(overrides)]))
			.split('\n')[3]
			?.trim();

	test.each([
		[64.59909999999999, 2, '64.6 m (alarm if > 2 m)'],
		[0.1 + 0.2, 0.1, '0.3 m (alarm if > 0.1 m)'],
		[1234.56789, 2, '1235 m (alarm if > 2 m)'],
		[-273.15, -300, '-273.15 m (alarm if > -300 m)'],
		[0.000123456, 0, '0.000123 m (alarm if > 0 m)'],
		[1e-12, 0, '1e-12 m (alarm if > 0 m)'],
		[7, 2, '7 m (alarm if > 2 m)'],
		// Rounded further, the value would be the threshold.
		[70.0041, 70, '70.004 m (alarm if > 70 m)'],
		[1999.96, 1999.9, '1999.96 m (alarm if > 1999.9 m)'],
		[2 + 2 ** -51, 2, '2.0000000000000004 m (alarm if > 2 m)'],
	])('show %d with the decimals that it needs, above %d', (value, threshold, text) => {
		expect(readingOf({ value, threshold, condition: '>' })).toBe(text);
	});

	test('say a value that is still above the threshold, or not, as it is: any two numbers', () => {
		const anyNumber = fc.oneof(
			fc.double({ noNaN: true, noDefaultInfinity: true }),
			fc.double({ min: -100, max: 100, noNaN: true }),
		);
		fc.assert(
			fc.property(anyNumber, fc.oneof(anyNumber, fc.constant(null)), (value, other) => {
				const threshold = other ?? Number(value.toFixed(2));
				const shown = Number.parseFloat(readingOf({ value, threshold, condition: '>', unit: '' }) ?? '');
				expect(Math.sign(shown - threshold) - Math.sign(value - threshold)).toBe(0);
				expect(Math.abs(shown - value)).toBeLessThanOrEqual(Math.max(1, Math.abs(value)) * 0.005001);
			}),
			{ numRuns: 5000 },
		);
	});

	test('say that an active alarm no longer meets its condition', () => {
		expect(readingOf({ value: 2.5 })).toBe('2.5 m (alarm if < 2 m, no longer)');
		expect(readingOf({ value: 2.5, cause: 'no_data' })).toBe('2.5 m (raised because there was no data)');
		expect(readingOf({ value: 1.5, cause: 'no_data' })).toBe('1.5 m (alarm if < 2 m)');
		expect(readingOf({ value: 2 })).toBe('2 m (alarm if < 2 m, no longer)');
		expect(readingOf({ value: 2.5, cause: null })).toBe('2.5 m (alarm if < 2 m)');
		expect(smsOf(makeNotification([makeNotified({ value: 2.5 })]))).toBe(
			'CRITICAL plant_a: Network tank low, 2.5 m (alarm if < 2 m, no longer)',
		);
	});

	test('keep a name from right to left apart from the value after it, also where it is cut', () => {
		for (const length of [1, 500])
			expect(smsOf(makeNotification([makeNotified({ name: 'א'.repeat(length) })]))).toMatch(
				/^CRITICAL plant_a: \u2068א+…?\u2069, 1\.82 m \(alarm if < 2 m\)$/u,
			);
	});

	test('say the time of the plant beside UTC, also where the day is another one', () => {
		const stateIn = (timeZone: string, since: number) =>
			textOf(makeNotification([makeNotified({ since })], { timeZone }))
				.split('\n')
				.at(-1)
				?.trim();
		expect(stateIn('America/Bogota', Date.UTC(2026, 0, 5, 2, 30, 5))).toBe(
			'active since 2026-01-04 21:30:05 in America/Bogota (2026-01-05 02:30:05 UTC)',
		);
		// The hour that comes twice.
		expect(stateIn('Europe/Madrid', Date.UTC(2026, 9, 25, 0, 30))).toMatch('02:30:00 in Europe/Madrid (2026-10-25 00:30:00 UTC)');
		expect(stateIn('Europe/Madrid', Date.UTC(2026, 9, 25, 1, 30))).toMatch('02:30:00 in Europe/Madrid (2026-10-25 01:30:00 UTC)');
	});

	test.each([
		['Depósito nº 2 – presión > 6 m³/h', 'Deposito no 2 - presion > 6 m3/h'],
		['Gruß, Łódź, Ærø, Übergröße', 'Grus, Lodz, Aro, Ubergrose'],
		['Насос 1', '????? 1'],
		['Tank\n\u0000\u202e1\u200b…', 'Tank 1...'],
	])('have a subject that keeps the letters of %j', (name, shown) => {
		expect(subjectOf(makeNotification([makeNotified({ name })]))).toBe(`CRITICAL alarm in plant_a: ${shown}`);
	});

	test('have a subject of 99 characters that keeps how many others there are', () => {
		const subjectFor = (length: number) =>
			subjectOf(makeNotification([makeNotified({ name: 'á'.repeat(length) }), makeNotified()]));
		const start = 'CRITICAL alarm in plant_a: ';
		const fits = 99 - start.length - ', and 1 more'.length;
		expect(subjectFor(fits)).toBe(`${start}${'a'.repeat(fits)}, and 1 more`);
		expect(subjectFor(fits + 1)).toBe(`${start}${'a'.repeat(fits - 3)}..., and 1 more`);
	});

	test('have as many lines as they should, whatever names, instructions and units are', () => {
		const hostile = fc.string({
			unit: fc.constantFrom('a', ' ', '\n', '\r', '\u0085', '\u2028', '\u2029', '\u000b', '\u0000', '\u202e'),
		});
		fc.assert(
			fc.property(hostile, hostile, hostile, (name, message, unit) => {
				const notification = makeNotification([makeNotified({ name, message, unit })]);
				for (const text of [textOf(notification), smsOf(notification), subjectOf(notification)])
					expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
				expect(textOf(notification).split('\n')).toHaveLength(6);
				expect(`${smsOf(notification)}${subjectOf(notification)}${headlineOf(notification)}`).not.toContain('\n');
			}),
		);
	});

	test('list 20 alarms, and count the others', () => {
		const notification = makeNotification(Array.from({ length: 23 }, (_, id) => makeNotified({ id, name: `Alarm ${id}` })));
		expect(textOf(notification).match(/^CRITICAL alarm: /gm)).toHaveLength(20);
		expect(textOf(notification)).toMatch(/\n\nand 3 more$/);
		expect(jsonOf(notification)).toMatchObject({ more: 3, alarms: { length: 20 } });
		expect(jsonOf(makeNotification([makeNotified()]))).toMatchObject({
			more: 0,
			alarms: [{ id: 7, since: '2026-01-05T00:00:00.000Z', eventId: 'e' }],
		});
	});

	test('fit into an SMS, a subject line and a topic, whatever the names are', () => {
		const anyText = fc.string({ unit: 'binary', minLength: 1, maxLength: 1000 });
		const notified = fc
			.record({
				...{ name: anyText, message: anyText, unit: fc.option(fc.string({ unit: 'binary', maxLength: 200 })) },
				...{ value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), raises: fc.nat() },
				severity: fc.constantFrom('info', 'warning', 'critical'),
			})
			.map(makeNotified);
		const notification = fc.tuple(
			fc.array(notified, { minLength: 1, maxLength: 25 }),
			fc.string({ minLength: 1, maxLength: 63 }),
		);
		fc.assert(
			fc.property(notification, ([alarms, schema]) => {
				const message = makeNotification(alarms, { schema });
				expect(smsOf(message).length).toBeLessThanOrEqual(140);
				expect(subjectOf(message)).toMatch(/^[\x20-\x7e]{1,99}$/);
				const body = { default: JSON.stringify(jsonOf(message)), email: textOf(message), sms: smsOf(message) };
				expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(256 * 1024);
			}),
			{ numRuns: 300 },
		);
	});
});
