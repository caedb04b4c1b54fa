import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headlineOf, jsonOf, smsOf, subjectOf, textOf } from '#domain/alarm/notification-text.ts';
import type { Notification, NotifiedAlarm } from '#domain/ports/notifier.ts';
import vectors from '#test/vectors/notification-texts.json' with { type: 'json' };

const makeNotified = (overrides: Partial<NotifiedAlarm> = {}): NotifiedAlarm => ({
	...{ id: 7, name: 'Network tank low', severity: 'critical', message: 'Start a pump.', condition: '<', threshold: 2, unit: 'm' },
	...{ kind: 'raised', cause: 'condition', value: 1.82, since: Date.UTC(2026, 0, 5), occurrence: 1, raises: 1, eventId: 'e' },
	...overrides,
});
const makeNotification = (alarms: readonly NotifiedAlarm[], schema = 'plant_a'): Notification => ({
	...{ schema, kind: 'raised', severity: 'critical', alarms },
});

describe('the texts of a message', () => {
	test.each(vectors)('$name', ({ alarms, headline, sms, text }) => {
		const notification = makeNotification(alarms.map((each) => makeNotified(each as Partial<NotifiedAlarm>)));
		expect(headlineOf(notification)).toBe(headline);
		expect(smsOf(notification)).toBe(sms);
		if (text !== undefined) expect(textOf(notification).split('\n')).toEqual(text);
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
				const message = makeNotification(alarms, schema);
				expect(smsOf(message).length).toBeLessThanOrEqual(140);
				expect(subjectOf(message)).toMatch(/^[\x20-\x7e]{1,99}$/);
				const body = { default: JSON.stringify(jsonOf(message)), email: textOf(message), sms: smsOf(message) };
				expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(256 * 1024);
			}),
			{ numRuns: 300 },
		);
	});
});
