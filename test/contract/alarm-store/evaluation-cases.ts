import { beforeEach, describe, expect, test } from 'vitest';
import { damagedProgress } from '#adapters/stored-alarm.ts';
import { type AlarmStore, leaseMs } from '#domain/ports/alarm-store.ts';
import { eventTime as now } from '#test/support/builders/alarm-rows.ts';
import type { AlarmBackend } from '../alarm-store.ts';

const started = {
	createdAt: now,
	evaluatedUntil: null,
	lease: null,
	leaseUntil: 0,
	lastSentAt: null,
	failing: 0,
	urgentSince: null,
};

/** Tests of the evaluation of schemas: start and stop, leases, progress. */
export function evaluationCases(open: () => Promise<AlarmBackend>): void {
	describe('the evaluation of a schema', () => {
		let alarms: AlarmStore;
		let damageProgress: AlarmBackend['damageProgress'];
		beforeEach(async () => {
			({ alarms, damageProgress } = await open());
		});

		test('starts once, and keeps its progress when it is started again', async () => {
			await alarms.startEvaluation('s', now);
			expect(await alarms.progress('s')).toEqual(started);
			await alarms.acquireLease('s', 'tick 1', now);
			await alarms.updateProgress('s', { lease: 'tick 1', expected: null, evaluatedUntil: now + 1, release: true });
			await alarms.startEvaluation('s', now + 5000);
			expect(await alarms.progress('s')).toEqual({ ...started, evaluatedUntil: now + 1 });
			expect(await alarms.progress('other')).toBeNull();
		});

		test('is listed with the others, until it is stopped', async () => {
			const names = ['s', 'plant_a', 'plant_b'];
			for (const name of names) await alarms.startEvaluation(name, now);
			const listed = await alarms.evaluatedSchemas();
			expect(listed.map(({ schema }) => schema).sort()).toEqual(['plant_a', 'plant_b', 's']);
			for (const { progress } of listed) expect(progress).toEqual(started);
			expect(await alarms.stopEvaluation('plant_b')).toBe(true);
			expect(await alarms.stopEvaluation('plant_b')).toBe(false);
			expect(await alarms.progress('plant_b')).toBeNull();
			expect(await alarms.evaluatedSchemas()).toHaveLength(2);
		});

		test('of one schema that cannot be parsed counts as behind for ever, and hides no other', async () => {
			for (const name of ['s', 'plant_a']) await alarms.startEvaluation(name, now);
			await damageProgress('s');
			const bySchema = new Map((await alarms.evaluatedSchemas()).map(({ schema, progress }) => [schema, progress]));
			expect(bySchema).toEqual(
				new Map([
					['s', { ...started, createdAt: 0 }],
					['plant_a', started],
				]),
			);
			expect(await alarms.progress('s')).toBe(damagedProgress);
		});

		test('is leased to one evaluator until the lease ends', async () => {
			expect(await alarms.acquireLease('s', 'tick 1', now)).toBeNull();
			await alarms.startEvaluation('s', now);
			const leased = { ...started, lease: 'tick 1', leaseUntil: now + leaseMs };
			expect(await alarms.acquireLease('s', 'tick 1', now)).toEqual(leased);
			expect(await alarms.acquireLease('s', 'tick 2', now + leaseMs - 1)).toBeNull();
			expect(await alarms.progress('s')).toEqual(leased);
			expect(await alarms.acquireLease('s', 'tick 2', now + leaseMs)).toEqual({
				...started,
				lease: 'tick 2',
				leaseUntil: now + 2 * leaseMs,
			});
			expect(await alarms.updateProgress('s', { lease: 'tick 1', expected: null, evaluatedUntil: now })).toBe(false);
			expect((await alarms.progress('s'))?.evaluatedUntil).toBeNull();
		});

		test('is leased to exactly one of many evaluators at once', async () => {
			await alarms.startEvaluation('s', now);
			const leases = await Promise.all(Array.from({ length: 16 }, (_, index) => alarms.acquireLease('s', `tick ${index}`, now)));
			const held = leases.filter((progress) => progress !== null);
			expect(held).toHaveLength(1);
			expect(await alarms.progress('s')).toEqual(held[0]);
		});

		test('advances on condition of the lease and of what was read', async () => {
			await alarms.startEvaluation('s', now);
			await alarms.acquireLease('s', 'tick 1', now);
			const leased = { ...started, lease: 'tick 1', leaseUntil: now + leaseMs };
			for (const refused of [
				{ lease: 'tick 2', expected: null },
				{ lease: 'tick 1', expected: now },
			])
				expect(await alarms.updateProgress('s', { ...refused, evaluatedUntil: now + 9, failing: 3 })).toBe(false);
			expect(await alarms.progress('s')).toEqual(leased);
			expect(await alarms.updateProgress('other', { lease: 'tick 1', expected: null, evaluatedUntil: now })).toBe(false);
			expect(await alarms.progress('other')).toBeNull();
			expect(await alarms.updateProgress('s', { lease: 'tick 1', expected: null, evaluatedUntil: now + 1 })).toBe(true);
			expect(await alarms.updateProgress('s', { lease: 'tick 1', expected: null, evaluatedUntil: now + 2 })).toBe(false);
			expect(await alarms.updateProgress('s', { lease: 'tick 1', expected: now + 1, evaluatedUntil: now + 2 })).toBe(true);
			expect(await alarms.progress('s')).toEqual({ ...leased, evaluatedUntil: now + 2 });
		});

		test('keeps fields that an update leaves out, also zeros, and clears what is null', async () => {
			await alarms.startEvaluation('s', now);
			await alarms.acquireLease('s', 'tick 1', now);
			const held = { lease: 'tick 1', expected: null };
			expect(await alarms.updateProgress('s', { ...held, lastSentAt: now, failing: 2, urgentSince: now - 5 })).toBe(true);
			const leased = { ...started, lease: 'tick 1', leaseUntil: now + leaseMs };
			expect(await alarms.progress('s')).toEqual({ ...leased, lastSentAt: now, failing: 2, urgentSince: now - 5 });
			expect(await alarms.updateProgress('s', held)).toBe(true);
			expect(await alarms.progress('s')).toEqual({ ...leased, lastSentAt: now, failing: 2, urgentSince: now - 5 });
			expect(await alarms.updateProgress('s', { ...held, failing: 0, urgentSince: null })).toBe(true);
			expect(await alarms.progress('s')).toEqual({ ...leased, lastSentAt: now });
		});

		test('is free for the next evaluator once the last step releases the lease', async () => {
			await alarms.startEvaluation('s', now);
			await alarms.acquireLease('s', 'tick 1', now);
			const step = { lease: 'tick 1', expected: null, evaluatedUntil: now, release: true };
			expect(await alarms.updateProgress('s', step)).toBe(true);
			expect(await alarms.progress('s')).toEqual({ ...started, evaluatedUntil: now });
			expect(await alarms.updateProgress('s', { ...step, expected: now })).toBe(false);
			expect(await alarms.acquireLease('s', 'tick 2', now + 1)).toMatchObject({ lease: 'tick 2', evaluatedUntil: now });
		});
	});
}
