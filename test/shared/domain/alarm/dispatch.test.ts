import { expect, test } from 'vitest';
import { dispatch } from '#domain/alarm/dispatch.ts';
import type { EvaluationProgress } from '#domain/alarm-rows/alarm-rows.ts';
import type { EvaluatedSchema } from '#domain/ports/alarm-store.ts';

const now = 1_800_000_000_000;

const makeEvaluated = (schema: string, overrides: Partial<EvaluationProgress> = {}): EvaluatedSchema => ({
	schema,
	progress: {
		...{ createdAt: now - 10_000, evaluatedUntil: now - 20_000, lease: null, leaseUntil: 0, lastSentAt: null },
		...{ failing: 0, urgentSince: null, ...overrides },
	},
});

const run = async (schemas: readonly EvaluatedSchema[], isRefused: (names: readonly string[]) => boolean = () => false) => {
	const started: (readonly string[])[] = [];
	const gauges: Record<string, number> = {};
	const result = await dispatch({
		alarms: { evaluatedSchemas: async () => schemas },
		workers: {
			start: async (names) => {
				if (isRefused(names)) throw new Error('Throttled.');
				started.push(names);
			},
		},
		metrics: {
			gauge: (name, value) => {
				gauges[name] = value;
			},
		},
		settleMs: 15_000,
		now: () => now,
	});
	return { result, started, gauges };
};

test('without schemas it measures zeros, so that silence means that nothing runs', async () => {
	const { result, started, gauges } = await run([]);
	expect([result, started]).toEqual([{ schemas: 0, late: [], errors: [] }, []]);
	expect(gauges).toEqual({ AlarmLagSeconds: 0, SchemasEvaluated: 0, SchemasLate: 0, SchemasFailing: 0, AlarmOutboxSeconds: 0 });
});

test('measures the largest lag and wait, and counts the schemas that are late or failing', async () => {
	const { gauges, result } = await run([
		makeEvaluated('a', { failing: 2, urgentSince: now - 900_000 }),
		makeEvaluated('b', { evaluatedUntil: now - 195_001, failing: 1 }),
		// Exactly three minutes and the settle time are not late, as for `evaluationStatus`.
		makeEvaluated('e', { evaluatedUntil: now - 195_000 }),
		// A schema that was never evaluated is behind since it exists.
		makeEvaluated('c', { evaluatedUntil: null, createdAt: now - 181_000 }),
		makeEvaluated('d', { evaluatedUntil: now + 60_000, urgentSince: now - 1000 }),
	]);
	expect(gauges).toEqual({
		AlarmLagSeconds: 181,
		SchemasEvaluated: 5,
		SchemasLate: 2,
		SchemasFailing: 2,
		AlarmOutboxSeconds: 900,
	});
	expect(result.late).toEqual(['c', 'b']);
});

test('starts workers of 50 schemas, the longest behind first', async () => {
	const lags = Array.from({ length: 120 }, (_, index) => (index * 37) % 120);
	const { started } = await run(lags.map((lag) => makeEvaluated(`s${lag}`, { evaluatedUntil: now - lag * 1000 })));
	expect(started.map(({ length }) => length)).toEqual([50, 50, 20]);
	expect(started.flat()).toEqual(Array.from({ length: 120 }, (_, index) => `s${119 - index}`));
});

test('a worker that cannot be started keeps no other from starting', async () => {
	const schemas = Array.from({ length: 150 }, (_, index) => makeEvaluated(`s${index}`, { evaluatedUntil: now - index }));
	const { result, started } = await run(schemas, (names) => names.includes('s149'));
	expect(started.map(({ length }) => length)).toEqual([50, 50]);
	expect(result.errors).toMatchObject([{ message: 'Throttled.' }]);
});

test.each([
	['one schema', 1, [1, 50, 9]],
	['ten schemas', 10, [...Array.from({ length: 10 }, () => 1), 50]],
	['more than ten, where the cause is none of theirs', 30, [...Array.from({ length: 10 }, () => 1), 20, 30]],
])('schemas more than five minutes late run alone: %s', async (_, stuckCount, sizes) => {
	const { started } = await run(
		Array.from({ length: 60 }, (_, index) =>
			makeEvaluated(`s${index}`, { evaluatedUntil: now - (index < stuckCount ? 315_001 : 315_000) }),
		),
	);
	expect(started.map(({ length }) => length)).toEqual(sizes);
});
