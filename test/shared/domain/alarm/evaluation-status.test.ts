import { expect, test } from 'vitest';
import { evaluationStatus } from '#domain/alarm/evaluation-status.ts';

const now = 1_000_000_000;

test.each([
	['no row', null, { until: null, status: 'never' }],
	['a row that was never evaluated', { evaluatedUntil: null }, { until: null, status: 'never' }],
	['180 s ago', { evaluatedUntil: now - 180_000 }, { until: now - 180_000, status: 'ok' }],
	['more than 180 s ago', { evaluatedUntil: now - 180_001 }, { until: now - 180_001, status: 'late' }],
	['ahead of this clock', { evaluatedUntil: now + 1 }, { until: now + 1, status: 'ok' }],
])('says how far a schema is evaluated: %s', (_, progress, status) => {
	expect(evaluationStatus(progress, now)).toEqual(status);
});
