import { beforeAll, describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { previewAlarm } from '#domain/use-cases/preview-alarm.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { makeAlarmBody } from '#test/support/builders/builders.ts';
import { zoneNamed } from '#test/support/builders/calendars.ts';
import { saveSmallSchema } from '#test/support/builders/small-schema.ts';
import { makeSampledTimeSeries } from '#test/support/fakes/sampled-time-series.ts';

const start = Date.UTC(2026, 10, 22, 6);
const at = (seconds: number) => start + seconds * 1000;
const range = { start, stop: at(600) };

describe('previewAlarm', () => {
	let deps: WriteDeps;
	beforeAll(async () => {
		deps = await saveSmallSchema();
	});

	const { timeSeries, calls } = makeSampledTimeSeries(
		new Map([
			[
				'plant/flow',
				[
					[at(30), 11],
					[at(90), 3],
				],
			],
		]),
	);
	const alarm = (fields: Readonly<Record<string, unknown>> = {}) => boardOf('alarm', parseBoard('alarm', makeAlarmBody(fields)));
	const preview = (
		fields: Readonly<Record<string, unknown>>,
		asked: typeof range | null = null,
		match: readonly number[] | null = null,
	) =>
		previewAlarm({ ...deps, timeSeries }, 's', 'plant', alarm(fields), asked && { range: asked, zone: zoneNamed('UTC') }, match);

	test('returns what would be stored, with id 0 where it is new, and stores nothing', async () => {
		const before = await deps.store.list('s', 'alarm');
		const { row, backtest } = await preview({ deadband: 1 });
		expect(row).toMatchObject({ kind: 'alarm', version: 1, board: { content: { id: 0, deadband: 1 } } });
		expect(backtest).toBeNull();
		expect(await deps.store.list('s', 'alarm')).toEqual(before);
		expect(calls).toEqual([]);
	});

	test('tries the alarm on the database of the caller, with what is stored', async () => {
		await saveBoard(deps, 's', alarm({ id: 5, offDelaySeconds: 120 }));
		const { row, backtest } = await preview({ id: 5 }, range);
		expect(row).toMatchObject({ version: 3, board: { content: { id: 5, offDelaySeconds: 120 } } });
		expect(backtest).toMatchObject({ resolutionSeconds: 1, raised: 1, activeSeconds: 180, longestSeconds: 180 });
		expect(backtest?.events.map(({ time, kind }) => [(time - start) / 1000, kind])).toEqual([
			[31, 'raised'],
			[211, 'cleared'],
		]);
		expect(new Set(calls.map(({ database }) => database))).toEqual(new Set(['plant']));
	});

	test.each([
		['not_found', { id: 99 }, null],
		['version_mismatch', { id: 5 }, [17]],
		['version_mismatch', {}, [1]],
		['invalid', { varId: 99 }, null],
		['invalid', { bit: 0 }, null],
		['invalid', { condition: '==', deadband: 1 }, null],
	] as const)('throws %s as a save does: %j', async (code, fields, match) => {
		await expect(preview(fields, range, match)).rejects.toMatchObject({ code });
	});

	test('refuses a range that is too long for its inputs', async () => {
		const year = { start: start - 366 * 86_400_000, stop: start };
		await expect(preview({ id: 5 }, year)).rejects.toMatchObject({ code: 'too_large', payload: { limit: 90_000 } });
	});
});
