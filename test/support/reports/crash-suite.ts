import { describe, expect, test } from 'vitest';
import type { ReportDays } from '#domain/ports/report-days.ts';
import { listRead } from '#test/support/reports/report-days.ts';
import { randomFrom } from '../alarms/random.ts';
import { openReportPlant, tenant, writePlant } from './report-plant.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 9, 20);

/** Ends a run of the task, as a kill does: nothing that it awaits goes on. */
class TaskEnded extends Error {
	override readonly name = 'TaskEnded';
}

/** How many writes and messages come before the next end; each is ended before it happens, or after. */
const crashPoints = () => {
	const state = { left: Number.POSITIVE_INFINITY, isEnded: false };
	const step = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		if (state.isEnded) throw new TaskEnded();
		state.left -= 1;
		if (state.left === 0) state.isEnded = true;
		if (state.isEnded) throw new TaskEnded();
		const result = await work();
		state.left -= 1;
		if (state.left === 0) state.isEnded = true;
		if (state.isEnded) throw new TaskEnded();
		return result;
	};
	return { state, step };
};

/**
 * Tests that a task that is ended between any two of its writes and messages stores each day once, and sends it once, or twice where the second
 * message says so. `days` returns an empty store, or one with other schemas.
 */
export function reportCrashSuite(name: string, crashes: number, openDays?: () => Promise<ReportDays>): void {
	describe(`a task that is ended ${crashes} times, on ${name}`, () => {
		test('stores each day once and sends it once, or once more and says so', { timeout: 300_000 }, async () => {
			const random = randomFrom(20_261_124);
			let ended = 0;
			let repeated = 0;
			while (ended < crashes) {
				const { state, step } = crashPoints();
				const other = await openDays?.();
				const rows: { date: string; stored: boolean; rowVersion: number }[] = [];
				const plant = await openReportPlant(start, { send: true }, (own) => {
					const days = other ?? own;
					return {
						...days,
						put: (key, day, replaced) =>
							step(async () => {
								const stored = await days.put(key, day, replaced);
								rows.push({ date: day.date, stored, rowVersion: day.rowVersion });
								return stored;
							}),
					};
				});
				const send = plant.deps.notifier.notifyReport;
				plant.deps.notifier.notifyReport = (message) => step(async () => void (await send(message)));
				writePlant(plant.series, start - 2 * dayMs, start + 7 * dayMs, hourMs);
				for (let day = 1; day <= 6; day += 1) {
					plant.clock.now = start + day * dayMs + hourMs;
					state.left = random.integer(1, 12);
					await plant.close();
					if (state.isEnded) ended += 1;
					state.isEnded = false;
					state.left = Number.POSITIVE_INFINITY;
					await plant.close();
				}
				const stored = await listRead(
					other ?? plant.stored,
					{ schema: tenant.schema, reportId: plant.id },
					'2026-10-20',
					'2026-12-31',
				);
				expect(stored.map(({ date }) => date)).toEqual(['20', '21', '22', '23', '24', '25'].map((day) => `2026-10-${day}`));
				for (const { date, seal, sending } of stored) {
					expect([date, sending]).toEqual([date, { attempts: expect.any(Number), isAccepted: expect.any(Boolean) }]);
					const messages = plant.sent.filter((each) => each.date === date);
					// One that ended before its message says that it may be repeated, and is the only one.
					expect([[false], [false, true], [true]]).toContainEqual(messages.map(({ isRepeated }) => isRepeated));
					repeated += messages.length - 1;
					expect(seal !== null).toBe(date <= '2026-10-22');
				}
				expect(stored.every(({ revision }) => revision === 1)).toBe(true);
				expect(rows.every((row) => row.stored)).toBe(true);
			}
			expect(repeated).toBeGreaterThan(0);
		});
	});
}
