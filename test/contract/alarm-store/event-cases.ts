import { beforeEach, describe, expect, test } from 'vitest';
import { type AlarmEvent, alarmEventKey } from '#domain/alarm-rows/alarm-event.ts';
import { type EventPageRequest, maxEventPageBytes } from '#domain/ports/alarm-store.ts';
import { eventTime, makeAlarmEvent, makeEventPage } from '#test/support/builders/alarm-rows.ts';
import type { AlarmBackend } from '../alarm-store.ts';

const event = (time: number, alarmId: number, overrides: Partial<AlarmEvent> = {}): AlarmEvent =>
	makeAlarmEvent({ time, recordedAt: eventTime + 60_000, alarmId, ...overrides });

/** Tests of the journal. */
export function eventCases(open: () => Promise<AlarmBackend>): void {
	describe('the journal', () => {
		let alarms: AlarmBackend['alarms'];
		beforeEach(async () => {
			({ alarms } = await open());
		});

		const add = async (schema: string, ...events: readonly AlarmEvent[]) => {
			expect(await alarms.commit(schema, { alarmId: events[0]?.alarmId ?? 0, events })).toBe('committed');
		};
		const pageOf = (overrides: Partial<EventPageRequest> = {}) =>
			makeEventPage({ start: eventTime, end: eventTime + 1000, ...overrides });
		/** Reads pages until the last one. */
		const readAll = async (overrides: Partial<EventPageRequest>) => {
			const pages: (readonly AlarmEvent[])[] = [];
			let after: string | null = null;
			do {
				const page: Awaited<ReturnType<typeof alarms.events>> = await alarms.events('s', pageOf({ ...overrides, after }));
				pages.push(page.events);
				after = page.next;
			} while (after !== null);
			return pages;
		};

		test('returns events as they were stored, of every writer', async () => {
			const events = [
				event(eventTime, 7, { value: 0, comment: 'Ω "quoted" \u0000 😀', inputs: ['a', 'b'] }),
				event(eventTime, 7, { kind: 'acknowledged', origin: { writer: 'operator', number: 1 }, cause: null, user: 'a@x' }),
				event(eventTime, 7, { kind: 'changed', origin: { writer: 'definition', number: 1 }, value: null, quality: null }),
				event(eventTime + 1, 0, { kind: 'gap', alarm: null, cause: null }),
			];
			await add('s', ...events);
			const expected = events.toSorted((a, b) => (alarmEventKey(a) < alarmEventKey(b) ? 1 : -1));
			expect(await alarms.events('s', pageOf())).toEqual({ events: expected, next: null });
			expect(await alarms.events('t', pageOf())).toEqual({ events: [], next: null });
		});

		test('leaves out an event that cannot be read, and no other', async () => {
			const events = [event(eventTime, 7), event(eventTime + 1, 7, { kind: 'later' as never }), event(eventTime + 2, 7)];
			for (const each of events) await add('s', each);
			expect((await readAll({ limit: 2 })).flat()).toEqual([events[2], events[0]]);
			expect((await readAll({ alarmId: 7 })).flat()).toEqual([events[2], events[0]]);
		});

		test('does not tell an event that expired, also before it is deleted', async () => {
			const [old, kept] = [event(eventTime, 7, { recordedAt: Date.UTC(2001, 0, 1) }), event(eventTime + 1, 7)];
			await add('s', kept);
			await add('s', old);
			for (const alarmId of [null, 7])
				expect(await alarms.events('s', pageOf({ alarmId }))).toEqual({ events: [kept], next: null });
		});

		test('starts inclusively and ends exclusively', async () => {
			const times = [999, 1000, 1001, 2000, 2001].map((ms) => eventTime + ms);
			await add('s', ...times.map((time) => event(time, 7)));
			const within = await alarms.events('s', pageOf({ start: eventTime + 1000, end: eventTime + 2000 }));
			expect(within.events.map(({ time }) => time - eventTime)).toEqual([1001, 1000]);
			for (const end of [eventTime + 1000, eventTime])
				expect(await alarms.events('s', pageOf({ start: eventTime + 1000, end }))).toEqual({ events: [], next: null });
		});

		test.each([1, 2, 4, 5, 6, 100])('is read whole in pages of %i, newest first', async (limit) => {
			const events = Array.from({ length: 10 }, (_, index) => event(eventTime + index, 1 + (index % 2)));
			await add('s', ...events);
			const pages = await readAll({ limit });
			expect(pages.flat()).toEqual(events.toReversed());
			for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
			expect(pages.length).toBe(Math.ceil(10 / limit));
			const odd = await readAll({ limit, alarmId: 2 });
			expect(odd.flat()).toEqual(events.filter(({ alarmId }) => alarmId === 2).toReversed());
			for (const page of odd) expect(page.length).toBeLessThanOrEqual(limit);
		});

		test('goes on after any key, stored or not', async () => {
			await add('s', ...[0, 1, 2].map((ms) => event(eventTime + ms, 7)));
			const timesAfter = async (after: string) =>
				(await alarms.events('s', pageOf({ after, limit: 2 }))).events.map(({ time }) => time - eventTime);
			const keyAt = (time: number) => alarmEventKey({ time, alarmId: 8, origin: { writer: 'operator', number: 3 } });
			expect(await timesAfter(keyAt(eventTime + 1))).toEqual([1, 0]);
			expect(await timesAfter(keyAt(eventTime + 500_000))).toEqual([2, 1]);
			expect(await timesAfter(keyAt(eventTime - 1))).toEqual([]);
		});

		test('reads a few megabytes at most for a page, and finds an event behind them', { timeout: 60_000 }, async () => {
			const comment = 'x'.repeat(1000);
			const others = (1.1 * maxEventPageBytes) / comment.length;
			await add('s', event(eventTime, 7));
			const commits = Array.from({ length: others / 40 }, (_, commit) =>
				Array.from({ length: 40 }, (_, index) =>
					event(eventTime + 1, 8, { comment, origin: { writer: 'evaluator', number: commit * 40 + index } }),
				),
			);
			for (const events of commits) await add('s', ...events);
			const first = await alarms.events('s', pageOf({ alarmId: 7 }));
			expect(first.events).toEqual([]);
			expect(first.next).not.toBeNull();
			expect((await readAll({ alarmId: 7 })).flat()).toEqual([event(eventTime, 7)]);
		});
	});
}
