import { describe, expect, test } from 'vitest';
import { dueMessage, type MessageCandidate, urgentSinceOf } from '#domain/alarm/due-message.ts';
import { calmMs } from '#domain/alarm/outbox-changes.ts';
import { makeAlarmEvent, makeEvaluatorState, makeOperatorState, makeOutbox } from '#test/support/builders/alarm-rows.ts';

const now = Date.UTC(2100, 0, 5);
const alarm = makeAlarmEvent().alarm;
const active = makeEvaluatorState({ cause: 'condition', occurrence: 1, since: now - 1000, value: 11.5 });

const candidate = (
	id: number,
	rows: Partial<MessageCandidate['rows']> = {},
	more: Partial<MessageCandidate> = {},
): MessageCandidate => ({
	...{ id, enabled: true, alarm },
	rows: { state: active, operator: null, outbox: null, ...rows },
	...more,
});
const waiting = (id: number, overrides: Parameters<typeof makeOutbox>[0] = {}) =>
	candidate(id, { outbox: makeOutbox(overrides) });
const critical = { alarm: alarm === null ? null : { ...alarm, severity: 'critical' as const } };
const idsOf = (message: ReturnType<typeof dueMessage>) => message?.alarms.map(({ id, kind }) => `${id} ${kind}`) ?? null;

describe('a message is due', () => {
	test('at once for an urgent row, and then tells everything that waits', () => {
		const others = [waiting(2, { urgent: false }), candidate(3)];
		expect(idsOf(dueMessage('s', [waiting(1), ...others], now - 1, now))).toEqual(['1 raised', '2 raised']);
		expect(dueMessage('s', others, now - 1, now)).toBeNull();
	});

	test.each([
		[null, true],
		[now - calmMs, true],
		[now - calmMs + 1, false],
		// The clock was set back.
		[now + 1, true],
	])('for rows that wait, 15 minutes after the last one: %s', (lastSentAt, isDue) => {
		expect(dueMessage('s', [waiting(1, { urgent: false })], lastSentAt, now) !== null).toBe(isDue);
	});

	test('for a critical alarm that is active and not acknowledged, and for no other', () => {
		const told = makeOutbox({ lastEvent: null, raises: 0, urgent: false, sentAt: now - calmMs });
		const candidates = [
			candidate(1, { outbox: told }, critical),
			candidate(2, { outbox: told }),
			candidate(3, { outbox: told, operator: makeOperatorState({ ackedOccurrence: 1 }) }, critical),
			candidate(4, { outbox: told, state: { ...active, cause: null } }, critical),
			candidate(5, { outbox: told, operator: makeOperatorState({ ackedOccurrence: 0, shelvedUntil: now + 1 }) }, critical),
			candidate(6, { outbox: told }, { ...critical, enabled: false }),
			candidate(7, { outbox: { ...told, sentAt: now - calmMs + 1 } }, critical),
		];
		const message = dueMessage('s', candidates, now - calmMs, now);
		expect(idsOf(message)).toEqual(['1 reminder']);
		expect(message).toMatchObject({
			kind: 'reminder',
			severity: 'critical',
			alarms: [{ eventId: null, raises: 0, remindedFrom: now - calmMs }],
		});
		expect(dueMessage('s', candidates, now - calmMs + 1, now)).toBeNull();
	});

	test('at once when somebody acknowledged an active alarm that a message told of, and only once', () => {
		const told = makeOutbox({ lastEvent: null, raises: 0, urgent: false, sentAt: now - calmMs + 1, sentOccurrence: 1 });
		const acked = { outbox: told, operator: makeOperatorState({ ackedOccurrence: 1 }) };
		const candidates = [
			candidate(1, acked),
			candidate(2, { ...acked, operator: null }),
			candidate(3, { ...acked, state: { ...active, cause: null } }),
			candidate(4, { ...acked, state: { ...active, occurrence: 2 } }),
			candidate(5, { ...acked, outbox: { ...told, sentOccurrence: 0 } }),
			candidate(6, { ...acked, outbox: { ...told, sentAcknowledged: 1 } }),
			candidate(7, { ...acked, operator: makeOperatorState({ ackedOccurrence: 1, shelvedUntil: now + 1 }) }),
			candidate(8, acked, { enabled: false }),
			candidate(9, { ...acked, outbox: null }),
			waiting(10, { urgent: false }),
		];
		const message = dueMessage('s', candidates, now - 1, now);
		expect(idsOf(message)).toEqual(['1 acknowledged']);
		expect(message).toMatchObject({ kind: 'acknowledged', alarms: [{ cause: 'condition', eventId: null }] });
		expect(idsOf(dueMessage('s', candidates, now - calmMs, now))).toEqual(['10 raised', '1 acknowledged']);
	});

	test('not for a shelved alarm, until its shelf ends', () => {
		const shelved = (until: number) =>
			candidate(1, { outbox: makeOutbox(), operator: makeOperatorState({ shelvedUntil: until }) });
		expect(dueMessage('s', [shelved(now + 1)], null, now)).toBeNull();
		expect(idsOf(dueMessage('s', [shelved(now)], null, now))).toEqual(['1 raised']);
		expect(urgentSinceOf(shelved(now + 1), now)).toBeNull();
		expect(urgentSinceOf(shelved(now), now)).toBe(makeOutbox().firstAt);
	});
});

test('active alarms come before cleared ones, each the worst first; severity and kind are the worst of all', () => {
	const over = { ...active, cause: null };
	const toldAs = (severity: 'info' | 'warning' | 'critical', kind: 'raised' | 'cleared' = 'raised') =>
		makeOutbox({
			lastEvent: makeAlarmEvent({ kind, alarm: alarm === null ? null : { ...alarm, severity } }),
			raises: kind === 'raised' ? 1 : 0,
		});
	const message = dueMessage(
		's',
		[
			candidate(1, { outbox: toldAs('critical', 'cleared'), state: over }),
			candidate(2, { outbox: toldAs('critical'), state: over }),
			candidate(3, { outbox: toldAs('info') }),
			candidate(4, { outbox: toldAs('warning') }),
			candidate(5, { outbox: toldAs('warning') }),
		],
		null,
		now,
	);
	expect(idsOf(message)).toEqual(['4 raised', '5 raised', '3 raised', '2 raised', '1 cleared']);
	expect(message).toMatchObject({ kind: 'raised', severity: 'critical' });
});

test('a value is told only while it is usable', () => {
	const valueWith = (state: Partial<typeof active>) =>
		dueMessage('s', [candidate(1, { outbox: makeOutbox(), state: { ...active, ...state } })], null, now)?.alarms[0]?.value;
	expect(valueWith({})).toBe(11.5);
	expect(valueWith({ value: 0 })).toBe(0);
	expect(valueWith({ cause: 'no_data', silent: true })).toBeNull();
	// After a silence, until the off delay clears the alarm.
	expect(valueWith({ cause: 'no_data', silent: false })).toBe(11.5);
	expect(valueWith({ uncertainSince: now - 5000 })).toBeNull();
});

test('the events of a deleted alarm are told as it was', () => {
	const deleted = candidate(1, { outbox: makeOutbox(), state: null }, { alarm: null, enabled: false });
	expect(dueMessage('s', [deleted], null, now)).toMatchObject({ alarms: [{ name: 'High flow', cause: null, value: null }] });
});
