import type { ReportDays } from '#domain/ports/report-days.ts';
import { isRead, type StoredDay } from '#domain/report/stored-day.ts';

/** Lists the stored days that can be read. */
export const listRead = async (days: ReportDays, ...asked: Parameters<ReportDays['list']>): Promise<readonly StoredDay[]> =>
	(await days.list(...asked)).filter(isRead);

/** A stored day with every kind of state. */
export const makeStoredDay = (date: string, overrides: Partial<StoredDay> = {}): StoredDay => {
	const from = Date.parse(`${date}T00:00:00Z`);
	const signal = {
		from,
		span: 86_400_000,
		known: 80_000_000,
		integral: { sum: 0.1 + 0.2, error: -1e-17 },
		on: 1,
		starts: 2,
		hasBase: true,
		min: { value: -0.5, at: from },
		max: null,
		over: { at: from - 1, starts: 1 },
	};
	const value = { value: 1 / 3, low: null, high: 1e300, known: 0.9, counterFaults: [] };
	const line = (key: string) => ({ key, function: 'mean' as const, varId: 1, name: key, unit: 'm³/h' });
	const fault = { code: 'counter_fell' as const, from: { at: from, value: 9 }, to: { at: from + 1, value: 0 } };
	const counter = {
		from,
		increase: { sum: Number.NaN, error: Number.NaN },
		pairs: 3,
		hasBase: false,
		over: null,
		isKnownAtEnd: true,
		faults: [fault],
	};
	return {
		date,
		from,
		to: from + 86_400_000,
		timeZone: 'UTC',
		dayStart: '00:00',
		database: 'd',
		revision: 1,
		rowVersion: 1,
		countedAt: from + 90_000_000,
		seal: null,
		sending: null,
		entries: [{ key: 'k', id: 3, from, to: from + 2, value: 1, low: 0.5, high: 1 }],
		series: [{ topic: 'a', field: 'é "x"', before: 3, own: null }],
		corrections: [{ id: 4, varId: 1, type: 'exclude', from, to: from + 1, reason: 'R', author: 'Ana', time: from }],
		lines: [
			{
				line: line('signal'),
				source: JSON.stringify({ queries: [] }),
				state: { kind: 'signal', signal },
				value: { ...value, at: from },
			},
			{
				line: line('counter'),
				source: JSON.stringify({ queries: [] }),
				state: { kind: 'counter', counter, signal },
				value: { ...value, value: null, fault: 'overflow', counterFaults: [fault] },
			},
			{
				line: line('raised'),
				source: '',
				state: { kind: 'raised', raised: { span: 1, unknown: 0, count: 2, certain: 1 } },
				value,
			},
			{ line: line('formula'), source: '', state: { kind: 'formula', common: { signal } }, value },
			{ line: line('fault'), source: '', state: { kind: 'fault', code: 'missing_reference' }, value },
		],
		...overrides,
	};
};
