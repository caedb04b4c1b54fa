import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { messageAbout } from '#domain/alarm/due-message.ts';
import { textOf } from '#domain/alarm/notification-text.ts';
import type { Notification, NotifiedAlarm } from '#domain/ports/notifier.ts';
import { addressSchema } from '#infra/local/adapters/message-address.ts';
import { formatOf } from '#infra/local/adapters/message-formats.ts';
import { apiDocument, faultOf } from '#test/support/openapi/api-description.ts';
import vectors from '#test/vectors/message-formats.json' with { type: 'json' };

const makeNotified = (overrides: object = {}): NotifiedAlarm => ({
	...{
		id: 7,
		name: 'Tank <1> & pump_2',
		severity: 'critical',
		message: 'Start a pump.',
		condition: '<',
		threshold: 2,
		unit: 'm',
	},
	...{
		kind: 'raised',
		cause: 'condition',
		value: 1.82,
		since: Date.UTC(2026, 0, 5),
		occurrence: 3,
		raises: 1,
		eventId: 'e',
		remindedFrom: null,
	},
	...overrides,
});
const makeNotification = (alarms: readonly NotifiedAlarm[]): Notification => {
	const message = messageAbout({ schema: 'plant_a', timeZone: null, alarms });
	if (message === null) throw new Error('The message has no alarm.');
	return message;
};
const formatFor = (address: unknown) => formatOf({ ...v.parse(addressSchema, address), name: 'test' });

test.each(vectors)('$name', ({ address, alarms, bodies }) => {
	expect(formatFor(address).ofAlarms(makeNotification(alarms.map(makeNotified)))).toEqual(bodies);
});

test('an alarm that was raised and is over triggers an incident in PagerDuty and resolves it', () => {
	const events = formatFor({ format: 'pagerduty', routingKey: 'key' }).ofAlarms(
		makeNotification([makeNotified({ cause: null })]),
	);
	expect(events).toMatchObject([
		{ event_action: 'trigger', dedup_key: 'caudal/7/plant_a' },
		{ event_action: 'resolve', dedup_key: 'caudal/7/plant_a' },
	]);
});

const numbers = [
	{ group: null, name: 'Volume', unit: 'm³', function: 'total', decimals: 0, value: 12, low: 12, high: 12, known: 1 },
];
const report = {
	...{ schema: 'plant_a', reportId: 4, title: 'Daily', date: '2026-01-05', from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 6) },
	...{ timeZone: 'UTC', isRepeated: false, numbers },
};

test('the numbers of a report are messages that do not ring, and no incident', () => {
	const telegram = formatFor({ format: 'telegram', url: 'https://api.telegram.org/bot1/sendMessage', chatId: 1 });
	expect(telegram.ofReport(report)).toMatchObject([
		{ disable_notification: true, text: expect.stringContaining('Volume: 12 m³') },
	]);
	expect(formatFor({ format: 'pagerduty', routingKey: 'key' }).ofReport(report)).toEqual([]);
	expect(formatFor({ format: 'caudal', url: 'https://a.example' }).ofReport(report)).toMatchObject([
		{ kind: 'report', reportId: 4 },
	]);
});

test('what is posted is what the OpenAPI document says under webhooks', () => {
	const { ofAlarms, ofReport } = formatFor({ format: 'caudal', url: 'https://a.example' });
	const kinds = ['raised', 'reminder', 'cleared', 'acknowledged'] as const;
	const alarms = kinds.map((kind) => makeNotified({ kind, unit: null, value: null, eventId: null }));
	const bodies = {
		alarms: ofAlarms(makeNotification(alarms)),
		report: ofReport({ ...report, raised: [{ name: 'Night', since: '2026-01-02', nights: 3, certain: true }] }),
	};
	for (const [name, posted] of Object.entries(bodies)) {
		const schema = apiDocument.webhooks[name]?.post.requestBody.content['application/json'].schema ?? {};
		expect(posted).toHaveLength(1);
		expect(faultOf('answer', schema, posted[0])).toBeNull();
		expect(faultOf('answer', schema, { ...posted[0], schema: 7 })).toContain('must be string');
	}
});

test('a long text is divided at its lines into messages of at most 4000 characters, cards below 28 KB', () => {
	const text = fc.string({ unit: fc.constantFrom('a', '水', '"', '𝄞'), minLength: 100, maxLength: 600, size: 'max' });
	const alarm = fc.record({ name: text, message: text }).map(makeNotified);
	const teams = formatFor({ format: 'teams', url: 'https://a.example' });
	const telegram = formatFor({ format: 'telegram', url: 'https://a.example', chatId: 1 });
	let divided = 0;
	fc.assert(
		fc.property(fc.array(alarm, { minLength: 1, maxLength: 25 }), (alarms) => {
			const notification = makeNotification(alarms);
			const parts = telegram.ofAlarms(notification).map((body) => ('text' in body ? String(body.text) : ''));
			divided += Number(parts.length > 1);
			expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(4000);
			expect(parts.join('\n').split(/\n+/)).toEqual(textOf(notification).split(/\n+/));
			for (const card of teams.ofAlarms(notification)) expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28_000);
		}),
		{ numRuns: 50 },
	);
	expect(divided).toBeGreaterThan(5);
});
