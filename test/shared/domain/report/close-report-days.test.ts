import { describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { listRead } from '#test/support/reports/report-days.ts';
import { numbersByName, openReportPlant, tenant, writePlant } from '#test/support/reports/report-plant.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minuteMs = 60_000;
/** A Tuesday. */
const start = Date.UTC(2026, 9, 20);

const openPlant = async (options: Parameters<typeof openReportPlant>[1] = {}, days = 8) => {
	const plant = await openReportPlant(start, options);
	writePlant(plant.series, start - dayMs, start + days * dayMs, 10 * minuteMs);
	const key = { schema: tenant.schema, reportId: plant.id };
	return { ...plant, key, daysStored: () => listRead(plant.stored, key, '2026-01-01', '2026-12-31') };
};

describe('closeReportDays', () => {
	test('stores a day once it is over and late samples were waited for, and seals it after 72 hours', async () => {
		const { clock, close, daysStored } = await openPlant();
		clock.now = start + dayMs + 14 * minuteMs;
		expect(await close()).toMatchObject({ errors: [] });
		expect((await daysStored()).map(({ date }) => date)).not.toContain('2026-10-20');
		clock.now = start + dayMs + 15 * minuteMs;
		await close();
		expect((await daysStored()).at(-1)).toMatchObject({ date: '2026-10-20', seal: null, revision: 1, rowVersion: 1 });
		clock.now = start + 4 * dayMs - 1;
		await close();
		expect((await daysStored()).find(({ date }) => date === '2026-10-20')).toMatchObject({ seal: null });
		clock.now = start + 4 * dayMs;
		expect(await close()).toMatchObject({ sealed: 1 });
		const sealed = (await daysStored()).find(({ date }) => date === '2026-10-20');
		expect(sealed).toMatchObject({ seal: { at: clock.now, by: null, reason: null }, revision: 1 });
	});

	test('changes nothing where nothing changed', async () => {
		const { clock, close, daysStored } = await openPlant();
		clock.now = start + 2 * dayMs + hourMs;
		await close();
		const before = await daysStored();
		expect(await close()).toMatchObject({ stored: 0, sealed: 0, sent: 0, errors: [] });
		expect(await daysStored()).toEqual(before);
	});

	test('counts a provisional day again after a late sample, and a sealed one never', async () => {
		const { clock, close, daysStored, series } = await openPlant();
		clock.now = start + 4 * dayMs + hourMs;
		await close();
		const before = await daysStored();
		series.write('flow', start + 3 * dayMs + 77, 400);
		series.write('flow', start + 77, 400);
		// The day after the sealed one begins with what was known before it.
		expect(await close()).toMatchObject({ stored: 2, sealed: 0 });
		const after = await daysStored();
		const numberOf = (days: typeof before, date: string) => days.find((day) => day.date === date)?.lines[0]?.value.value;
		expect(numberOf(after, '2026-10-23')).toBeGreaterThan(numberOf(before, '2026-10-23') ?? Number.NaN);
		expect(numberOf(after, '2026-10-20')).toBe(numberOf(before, '2026-10-20'));
	});

	test('catches up after an outage, 31 days at a time', async () => {
		const { clock, close, daysStored } = await openPlant({}, 60);
		clock.now = start + dayMs + hourMs;
		await close();
		clock.now = start + 50 * dayMs + hourMs;
		await close();
		// The first of them is the oldest day that was provisional when the 20th was stored.
		expect((await daysStored()).at(-1)?.date).toBe('2026-11-16');
		while ((await close()).stored > 0);
		const dates = (await daysStored()).map(({ date }) => date);
		expect(dates.slice(-50)[0]).toBe('2026-10-20');
		expect(dates.at(-1)).toBe('2026-12-08');
		expect(new Set(dates).size).toBe(dates.length);
		expect((await daysStored()).filter(({ seal }) => seal === null)).toHaveLength(3);
	});

	test('catches up where one read may hold fewer samples than the days of an outage have', async () => {
		const { clock, close, daysStored, deps } = await openPlant({}, 20);
		let limit = 2500;
		Object.assign(deps.samples, { maxSamples: () => limit });
		clock.now = start + dayMs + hourMs;
		expect(await close()).toMatchObject({ errors: [] });
		clock.now = start + 12 * dayMs + hourMs;
		expect(await close()).toMatchObject({ errors: [] });
		const dates = (await daysStored()).map(({ date }) => date);
		expect([dates.at(-1), new Set(dates).size]).toEqual(['2026-10-31', dates.length]);
		const whole = await openPlant({}, 20);
		for (const days of [1, 12]) {
			whole.clock.now = start + days * dayMs + hourMs;
			await whole.close();
		}
		expect(await daysStored()).toEqual(await whole.daysStored());
		limit = 10;
		clock.now += dayMs;
		expect(await close()).toMatchObject({ errors: [{ code: 'too_large' }], stored: 0 });
	});

	test('sends the first numbers of each day once, in words that a phone shows', async () => {
		const { clock, close, sent } = await openPlant({ send: true, timeZone: 'Europe/Madrid' });
		clock.now = start + 2 * dayMs;
		await close();
		await close();
		expect(sent.map(({ date, isRepeated }) => [date, isRepeated])).toEqual([['2026-10-21', false]]);
		expect(numbersByName(sent[0] ?? expect.unreachable()).get('Volume')).toMatchObject({ unit: 'm³', known: expect.any(Number) });
		clock.now = start + 3 * dayMs;
		await close();
		expect(sent.map(({ date }) => date)).toEqual(['2026-10-21', '2026-10-22']);
	});

	test('of a new report only the newest day is sent, also where its first run ends after one day', async () => {
		const { clock, close, deps, sent, daysStored } = await openPlant({ send: true });
		const { put } = deps.days;
		let isCut = true;
		deps.days.put = async (key, day, row) => {
			if (isCut && row === null && (await daysStored()).length > 0) throw new DomainError('store_failed', { cause: 'down' });
			return put(key, day, row);
		};
		clock.now = start + 4 * dayMs + hourMs;
		expect((await close()).errors).toHaveLength(1);
		expect(await daysStored()).toHaveLength(1);
		isCut = false;
		await close();
		await close();
		expect((await daysStored()).length).toBeGreaterThan(3);
		expect(sent.map(({ date }) => date)).toEqual(['2026-10-23']);
	});

	test('sends again what was refused, and what may have been accepted once more, marked as repeated', async () => {
		const { clock, close, deps, sent } = await openPlant({ send: true });
		const answers: (DomainError | null)[] = [
			new DomainError('dependency_failed', { dependency: 'notifier', cause: 'down' }),
			new DomainError('dependency_slow', { dependency: 'notifier', cause: 'slow' }),
			null,
		];
		const notify = deps.notifier.notifyReport;
		deps.notifier.notifyReport = async (message) => {
			await notify(message);
			const answer = answers.shift();
			if (answer !== null && answer !== undefined) throw answer;
		};
		clock.now = start + dayMs + hourMs;
		for (let run = 0; run < 5; run += 1) await close();
		expect(sent.map(({ date, isRepeated }) => [date, isRepeated])).toEqual([
			['2026-10-20', false],
			['2026-10-20', false],
			['2026-10-20', true],
		]);
	});

	test('one report that fails does not keep the others from being closed', async () => {
		const { clock, close, deps, write, report, daysStored } = await openPlant();
		const { saveReport } = await import('#domain/use-cases/save-report.ts');
		const { boardOf, parseBoard } = await import('#domain/board/board.ts');
		const second = await saveReport(write, tenant, boardOf('report', parseBoard('report', report)));
		const { put } = deps.days;
		deps.days.put = async (key, day, row) => {
			if (key.reportId !== second.board.content.id) return put(key, day, row);
			throw new DomainError('store_failed', { cause: 'down' });
		};
		clock.now = start + dayMs + hourMs;
		const { errors, stored } = await close();
		expect([errors.length, stored > 0, (await daysStored()).length > 0]).toEqual([1, true, true]);
	});
});
