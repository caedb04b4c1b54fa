import { expect, test } from 'vitest';
import { evaluationStatus } from '#domain/alarm/evaluation-status.ts';

const now = 1_000_000_000;
const settleMs = 15_000;

test.each([
	['no row', null, { until: null, status: 'never' }],
	['a row that was never evaluated', { evaluatedUntil: null }, { until: null, status: 'never' }],
	['180 s ago, and the settle time', { evaluatedUntil: now - 195_000 }, { until: now - 195_000, status: 'ok' }],
	['longer ago', { evaluatedUntil: now - 195_001 }, { until: now - 195_001, status: 'late' }],
	['ahead of this clock', { evaluatedUntil: now + 1 }, { until: now + 1, status: 'ok' }],
])('says how far a schema is evaluated: %s', (_, progress, status) => {
	expect(evaluationStatus(progress, now, settleMs)).toEqual(status);
});

test('a settle time of ten minutes is no lag', () => {
	const evaluatedUntil = now - 600_000 - 60_000;
	expect(evaluationStatus({ evaluatedUntil }, now, 600_000)).toEqual({ until: evaluatedUntil, status: 'ok' });
});
