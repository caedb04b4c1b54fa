import { describe, expect, test } from 'vitest';
import { calmMs, outboxAfterMessage, outboxAfterShelf, outboxWith } from '#domain/alarm/outbox-changes.ts';
import { noOperatorState, type Outbox } from '#domain/alarm-rows/alarm-rows.ts';
import { makeAlarmEvent, makeEvaluatorState, makeOutbox } from '#test/support/builders/alarm-rows.ts';

const now = 1_800_000_000_000;
const raised = makeAlarmEvent({ kind: 'raised', cause: 'condition' });
const cleared = makeAlarmEvent({ kind: 'cleared', cause: 'condition' });
const acked = (ackedOccurrence: number) => ({ ...noOperatorState, rowVersion: 1, ackedOccurrence });
const sent = (overrides: Partial<Outbox> = {}): Outbox => ({
	...makeOutbox(),
	...{ raises: 0, lastEvent: null, urgent: false, firstAt: null },
	...{ sentAt: now - 60_000, sentCause: 'condition', sentOccurrence: 3, ...overrides },
});

describe('a raised alarm is urgent', () => {
	test.each([
		['when nobody was told of it', null, null, true],
		['just before the same cause was told 15 minutes ago', sent({ sentAt: now - calmMs + 1 }), null, false],
		['when the same cause was told 15 minutes ago', sent({ sentAt: now - calmMs }), null, true],
		['when another cause was told', sent({ sentCause: 'no_data' }), null, true],
		['when what was told was acknowledged', sent(), acked(3), true],
		['not when an earlier occurrence was acknowledged', sent(), acked(2), false],
		['when the clock was set back', sent({ sentAt: now + 1 }), null, true],
	] as const)('%s', (_, stored, operated, urgent) => {
		expect(outboxWith(stored, [raised], operated, now).urgent).toBe(urgent);
		expect(outboxWith(stored, [cleared], operated, now).urgent).toBe(false);
	});
});

test('events merge while they wait: the newest, the number of raises, and the time of the first urgent one', () => {
	const first = outboxWith(null, [raised], null, now);
	expect(first).toMatchObject({ rowVersion: 1, raises: 1, lastEvent: raised, firstAt: now, urgent: true });
	const merged = outboxWith(first, [cleared, raised, cleared], null, now + 5000);
	expect(merged).toMatchObject({ rowVersion: 2, raises: 2, lastEvent: cleared, firstAt: now, urgent: true });
});

test('a row waits from its first urgent event, not from an earlier one or from before its shelf ended', () => {
	const calm = outboxWith(sent(), [cleared], null, now - 600_000);
	expect(calm).toMatchObject({ urgent: false, firstAt: null });
	// An earlier release noted the first event of any kind.
	const stored = { ...calm, firstAt: now - 600_000 };
	const urgent = outboxWith(stored, [makeAlarmEvent({ kind: 'raised', cause: 'no_data' })], null, now);
	expect(urgent).toMatchObject({ urgent: true, firstAt: now });
	const event = makeAlarmEvent({ time: now + 900_000, kind: 'unshelved', cause: null });
	const ended = outboxAfterShelf(urgent, event, { state: { cause: 'condition', occurrence: 4 }, operator: noOperatorState });
	expect(ended).toMatchObject({ urgent: true, firstAt: now + 900_000 });
});

describe('after a message', () => {
	const state = makeEvaluatorState({ cause: 'condition', occurrence: 4 });

	test('nothing waits, and the row knows what was told', () => {
		const row = outboxAfterMessage(outboxWith(null, [raised], null, now), state, now + 1000);
		expect(row).toMatchObject({ rowVersion: 2, raises: 0, lastEvent: null, urgent: false, firstAt: null });
		expect(row).toMatchObject({ sentAt: now + 1000, sentCause: 'condition', sentOccurrence: 4 });
	});

	test('that told only of the end, the time of the last raise stays', () => {
		const row = outboxAfterMessage(outboxWith(sent(), [cleared], null, now), { ...state, cause: null }, now);
		expect(row).toMatchObject({ lastEvent: null, sentAt: now - 60_000, sentCause: 'condition', sentOccurrence: 3 });
	});

	test('that told of a raise and its end, the cause is that of the raise', () => {
		const row = outboxAfterMessage(outboxWith(null, [raised, cleared], null, now), { ...state, cause: null }, now);
		expect(row).toMatchObject({ sentAt: now, sentCause: 'condition', sentOccurrence: 4 });
	});
});

test('a shelf that ends tells of the occurrences that nobody knows', () => {
	const event = makeAlarmEvent({ time: now, kind: 'unshelved', cause: null });
	const state = { cause: 'condition', occurrence: 7 } as const;
	expect(outboxAfterShelf(null, event, { state, operator: acked(0) })).toMatchObject({
		raises: 7,
		urgent: true,
		lastEvent: event,
	});
	expect(outboxAfterShelf(sent(), event, { state, operator: acked(5) })).toMatchObject({ raises: 2, urgent: true });
	expect(outboxAfterShelf(sent(), event, { state, operator: acked(0) })).toMatchObject({ raises: 4, urgent: false });
});
