import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareAlarms } from '#page/core/alarm-state.ts';
import { canAcknowledgeSeen, nextSeen, type SeenAlarm } from '#page/core/seen-alarm.ts';
import { makeListedAlarm } from '#test/support/builders/listed-alarm.ts';

const info = makeListedAlarm({ id: 1, occurrence: 1, severity: 'info', state: 'active_unacknowledged' });
const critical = makeListedAlarm({ id: 2, occurrence: 1, severity: 'critical', state: 'active_unacknowledged' });
const acknowledged = { ...info, state: 'active_acknowledged' } as const;

describe('the alarm on the line', () => {
	test('is the worst one while nobody is at the line', () => {
		const first = nextSeen(null, { open: [info], isHeld: false, nowMs: 0 });
		expect(first).toEqual({ alarm: info, sinceMs: 0 });
		expect(nextSeen(first, { open: [critical, info], isHeld: false, nowMs: 500 })).toEqual({ alarm: critical, sinceMs: 500 });
		expect(nextSeen(first, { open: [], isHeld: false, nowMs: 500 })).toBeNull();
	});

	test('stays while somebody is at the line, with its newest values', () => {
		const renewed = { ...info, value: 7 };
		expect(nextSeen({ alarm: info, sinceMs: 0 }, { open: [critical, renewed], isHeld: true, nowMs: 500 })).toEqual({
			alarm: renewed,
			sinceMs: 0,
		});
	});

	test('stays the occurrence that was seen when the alarm is raised again', () => {
		const seen = { alarm: info, sinceMs: 0 };
		expect(nextSeen(seen, { open: [{ ...info, occurrence: 2 }], isHeld: true, nowMs: 500 })).toBe(seen);
		expect(nextSeen(seen, { open: [{ ...info, occurrence: 2 }], isHeld: false, nowMs: 500 })?.sinceMs).toBe(500);
	});

	test('goes once it is acknowledged, returned to normal or deleted, and the next one must be read first', () => {
		const seen = { alarm: info, sinceMs: 0 };
		for (const open of [[critical, acknowledged], [critical]]) {
			const next = nextSeen(seen, { open, isHeld: true, nowMs: 5000 });
			expect(next).toEqual({ alarm: critical, sinceMs: 5000 });
			expect([canAcknowledgeSeen(next, 5999), canAcknowledgeSeen(next, 6000)]).toEqual([false, true]);
		}
	});

	test('asks for nothing once it is acknowledged, or when there is none', () => {
		expect(canAcknowledgeSeen({ alarm: acknowledged, sinceMs: 0 }, 9000)).toBe(false);
		expect(canAcknowledgeSeen(null, 9000)).toBe(false);
	});

	test('is never acknowledged before it stood there for a second, and never changes under the hand', () => {
		const alarm = fc
			.record({
				id: fc.integer({ min: 1, max: 4 }),
				occurrence: fc.integer({ min: 1, max: 3 }),
				severity: fc.constantFrom('info' as const, 'critical' as const),
				state: fc.constantFrom('active_unacknowledged' as const, 'active_acknowledged' as const),
			})
			.map((overrides) => makeListedAlarm(overrides));
		const open = fc.uniqueArray(alarm, { selector: ({ id }) => id, maxLength: 4 }).map((list) => list.toSorted(compareAlarms));
		const step = fc.record({ open, isHeld: fc.boolean(), passedMs: fc.integer({ min: 0, max: 2000 }) });
		let presses = 0;
		fc.assert(
			fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
				let seen: SeenAlarm | null = null;
				let [nowMs, sinceMs, key] = [0, 0, ''];
				for (const { open: listed, isHeld, passedMs } of steps) {
					nowMs += passedMs;
					// What is acknowledged is what stood there before the poll of this moment.
					if (canAcknowledgeSeen(seen, nowMs)) {
						presses += 1;
						expect(nowMs - sinceMs).toBeGreaterThanOrEqual(1000);
					}
					const next = nextSeen(seen, { open: listed, isHeld, nowMs });
					const nextKey = next === null ? '' : `${next.alarm.id} ${next.alarm.occurrence}`;
					const isStillAsked = listed.some(
						(each) =>
							each.id === seen?.alarm.id &&
							(each.occurrence !== seen.alarm.occurrence || each.state?.endsWith('_unacknowledged')),
					);
					if (isHeld && seen?.alarm.state === 'active_unacknowledged' && isStillAsked) expect(nextKey).toBe(key);
					if (nextKey !== key) sinceMs = nowMs;
					[seen, key] = [next, nextKey];
				}
			}),
			{ numRuns: 1000 },
		);
		expect(presses).toBeGreaterThan(1000);
	});
});
