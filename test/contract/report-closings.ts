import { beforeEach, describe, expect, test } from 'vitest';
import { aheadMs, type ReportClosings } from '#domain/ports/report-closings.ts';

const now = 1_800_000_000_000;
const until = now + 120_000;

/** Tests of every `ReportClosings`. `open` creates an empty one; `races`: how many runs of a schema begin at once. */
export function reportClosingsContract(name: string, open: () => Promise<ReportClosings>, races: number): void {
	describe(`ReportClosings: ${name}`, () => {
		let closings: ReportClosings;
		beforeEach(async () => {
			closings = await open();
		});
		const closing = async (schema = 's') => (await closings.find([schema])).get(schema);

		test('is empty at first', async () => {
			expect([...(await closings.find(['s', 't'])), ...(await closings.find([]))]).toEqual([]);
		});

		test('a run counts as failing until it ends without errors, since the first that did not', async () => {
			expect(await closings.begin('s', now, until)).toBe(true);
			expect(await closing()).toEqual({ dueAt: until, failingSince: now, isStopped: false });
			await closings.end('s', { dueAt: until + 5, failed: true });
			expect(await closing()).toEqual({ dueAt: until + 5, failingSince: now, isStopped: false });
			expect(await closings.begin('s', until + 5, until + 50)).toBe(true);
			expect(await closing()).toEqual({ dueAt: until + 50, failingSince: now, isStopped: false });
			await closings.end('s', { dueAt: until + 99, failed: false });
			expect(await closing()).toEqual({ dueAt: until + 99, failingSince: null, isStopped: false });
			expect(await closings.begin('s', until + 99, until + 100)).toBe(true);
			expect(await closing()).toMatchObject({ failingSince: until + 99 });
		});

		test('no run begins before it is due', async () => {
			await closings.begin('s', now, until);
			expect(await closings.begin('s', until - 1, until + 9)).toBe(false);
			expect(await closing()).toEqual({ dueAt: until, failingSince: now, isStopped: false });
			expect(await closings.begin('s', until, until + 9)).toBe(true);
		});

		test('a run begins where a clock that was ahead wrote when it is due', async () => {
			await closings.end('s', { dueAt: now + aheadMs, failed: false });
			expect(await closings.begin('s', now, until)).toBe(false);
			await closings.end('s', { dueAt: now + aheadMs + 1, failed: false });
			expect(await closings.begin('s', now, until)).toBe(true);
			expect(await closing()).toMatchObject({ dueAt: until });
			await closings.stop('s');
			await closings.end('s', { dueAt: now + aheadMs + 1, failed: false });
			expect(await closings.begin('s', now, until)).toBe(false);
		});

		test('of many runs that begin at once, one may', async () => {
			for (const schema of ['s', 't']) {
				if (schema === 't') await closings.end(schema, { dueAt: now, failed: false });
				const begun = await Promise.all(Array.from({ length: races }, () => closings.begin(schema, now, until)));
				expect(begun.filter(Boolean)).toHaveLength(1);
			}
		});

		test('a stopped schema begins no run, also where one ends after it was stopped, until it is restarted', async () => {
			await closings.begin('s', now, until);
			await closings.stop('s');
			await closings.end('s', { dueAt: until, failed: false });
			await closings.stop('t');
			for (const schema of ['s', 't']) {
				expect(await closings.begin(schema, until, until + 9)).toBe(false);
				expect(await closing(schema)).toMatchObject({ failingSince: null, isStopped: true });
				await closings.restart(schema);
				expect(await closing(schema)).toBeUndefined();
				expect(await closings.begin(schema, until, until + 9)).toBe(true);
			}
		});

		test('finds the rows of the schemas that are asked for, also of hundreds', async () => {
			const schemas = Array.from({ length: 230 }, (_, index) => `s${index}`);
			for (const [index, schema] of schemas.entries()) await closings.end(schema, { dueAt: index, failed: false });
			const found = await closings.find(schemas.slice(10));
			expect([found.size, found.get('s10')?.dueAt, found.get('s229')?.dueAt]).toEqual([220, 10, 229]);
		});
	});
}
