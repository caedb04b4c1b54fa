import { expect, test, vi } from 'vitest';
import { type LineDraft, newLineDraft } from '#page/reports/line-draft.ts';
import { type ReportDraft, reportProblems } from '#page/reports/report-draft.ts';

// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { trialBodyOf, trialProblems } = await import('#page/screens/report-editor/report-trial.ts');
const { lineWordsOf } = await import('#page/screens/report-editor/line-words.ts');
// The modules have taken them. Other files share the process.
vi.unstubAllGlobals();

const line = (key: string, part: Partial<LineDraft> = {}): LineDraft => ({
	...{ ...newLineDraft, id: 1, key, name: key, function: 'mean', varId: 3 },
	...part,
});
const draft = (...lines: readonly LineDraft[]): ReportDraft => ({
	...{ id: 46, title: 'Daily', timeZone: 'UTC', dayStart: '06:00', send: true, lines },
});
const bodyOf = (report: ReportDraft) => trialBodyOf(report, reportProblems(report, undefined));

test('a trial asks for the right lines as a new report, and is the same whatever changes no number', () => {
	const report = draft(line('a'), line('b', { varId: null }), line('c'));
	const body = bodyOf(report);
	expect(body).toMatchObject({ id: 0, dayStart: '06:00', send: false, lines: [{ key: 'a' }, { key: 'c' }] });
	const renamed = draft(line('a', { name: 'Level', decimals: 3, group: 'Tanks' }), line('c'));
	expect(bodyOf({ ...renamed, title: '', send: false })).toEqual(body);
	expect(bodyOf(draft(line('a', { from: '02:00', to: '04:00' }), line('c')))).not.toEqual(body);
	expect(bodyOf(draft())).toBeNull();
});

test('what the service finds wrong in a trial stands at the line that was meant', () => {
	const report = draft(line('a'), line('b', { varId: null }), line('c'));
	const error = { code: 'hold_required', message: 'Is required.', params: {} };
	const state = {
		...{ phase: 'failed' as const, answer: null, triedAt: 0 },
		failure: {
			kind: 'refused' as const,
			status: 400,
			errors: { 'lines.1.holdSeconds': error, request: error },
			retryAfterMs: null,
		},
	};
	expect([...trialProblems(report, bodyOf(report), state).keys()]).toEqual(['lines.2.holdSeconds']);
	expect([...trialProblems(report, null, state)]).toEqual([]);
});

test.each([
	[{ value: 5080.24, known: 1, low: 5080.24, high: 5080.24 }, 0, ['5\u202f080', null, '100 % known', true]],
	[{ value: 0, known: 1, low: 0, high: 0 }, null, ['0.0', null, '100 % known', true]],
	[
		{ value: 4968.2, known: 0.97961, low: 4968.2, high: 5219.1 },
		1,
		['4\u202f968.2', 'between 4\u202f968.2 and 5\u202f219.1 m³', '97.9 % known', false],
	],
	[{ value: 4, known: 0.9999, low: 4, high: null }, 0, ['4', 'at least 4 m³', '99.9 % known', false]],
	[{ value: 4, known: 0.0004, low: 4, high: null }, 0, ['4', 'at least 4 m³', '< 0.1 % known', false]],
	[{ value: null, known: 0, low: null, high: null }, 0, [null, 'no bounds', 'nothing known', false]],
	[{ value: null, known: null, low: null, high: 3 }, 0, [null, 'at most 3 m³', 'nothing known', false]],
] as const)('%o is said with its bounds and its known share, never rounded up to all', (total, decimals, expected) => {
	const { number, bounds, known, isWhole } = lineWordsOf(
		{ key: 'a', values: [], known: [], low: [], high: [], total },
		{ function: 'total', decimals, unit: 'm³' },
	);
	expect([number, bounds, known, isWhole]).toEqual(expected);
});
