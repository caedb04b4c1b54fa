import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFailingSchemas } from '#http/failing-schemas.ts';
import type { RequestRecord } from '#http/log.ts';
import { randomFrom } from '#test/support/fakes/scheduler.ts';

type Outcome = RequestRecord['outcome'];

const minute = 60_000;

/** Opens what watches schemas, with a clock that the test sets. */
const open = () => {
	const clock = { ms: 1_000_000 };
	const failingSchemaOf = createFailingSchemas(() => clock.ms);
	const tell = (outcome: Outcome, schema?: string, routeKey = 'POST /multipleDataTsdb') =>
		failingSchemaOf({ requestId: 'r', routeKey, status: 0, outcome, durationMs: 1, ...(schema === undefined ? {} : { schema }) });
	return { clock, tell };
};

describe('a schema fails wholly', () => {
	test('when three requests in a row have failed over five minutes', () => {
		const { clock, tell } = open();
		const told = [0, 1, 4.999, 5, 6].map((at) => {
			clock.ms = at * minute;
			return tell('fault', 's');
		});
		expect(told).toEqual([null, null, null, 's', 's']);
	});

	test('not by two requests, however far apart', () => {
		const { clock, tell } = open();
		tell('fault', 's');
		clock.ms += 60 * minute;
		expect(tell('fault', 's')).toBeNull();
		expect(tell('fault', 's')).toBe('s');
	});

	test('no more from its first answer on', () => {
		const { clock, tell } = open();
		for (let count = 0; count < 3; count += 1) {
			tell('fault', 's');
			clock.ms += 5 * minute;
		}
		expect(tell('fault', 's')).toBe('s');
		expect(tell('ok', 's')).toBeNull();
		for (let count = 0; count < 3; count += 1) expect(tell('fault', 's')).toBeNull();
	});

	test('without regard to refused requests, other routes, and requests without a schema', () => {
		const { clock, tell } = open();
		for (let count = 0; count < 5; count += 1) {
			const told = tell('fault', 's');
			expect(told).toBe(count < 2 ? null : 's');
			expect(tell('refused', 's')).toBeNull();
			expect(tell('ok', 's', 'GET /getVarsTsdb')).toBeNull();
			expect(tell('fault')).toBeNull();
			clock.ms += 3 * minute;
		}
	});
});

test('for any order of requests, a schema fails wholly when the log since its last answer says so', () => {
	let failing = 0;
	const step = fc.record({
		waitMs: fc.constantFrom(0, minute, 3 * minute),
		schema: fc.constantFrom('a', 'b'),
		outcome: fc.constantFrom<Outcome>('fault', 'fault', 'fault', 'fault', 'refused', 'ok'),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
			const { clock, tell } = open();
			const log: { schema: string; outcome: Outcome; ms: number }[] = [];
			for (const { waitMs, schema, outcome } of steps) {
				clock.ms += waitMs;
				log.push({ schema, outcome, ms: clock.ms });
				const own = log.filter((entry) => entry.schema === schema);
				const faults = own
					.slice(own.findLastIndex((entry) => entry.outcome === 'ok') + 1)
					.filter((entry) => entry.outcome === 'fault');
				const spanMs = clock.ms - (faults[0]?.ms ?? clock.ms);
				const fails = outcome === 'fault' && faults.length >= 3 && spanMs >= 5 * minute;
				expect(tell(outcome, schema)).toBe(fails ? schema : null);
				if (fails) failing += 1;
			}
		}),
		{ numRuns: 300 },
	);
	expect(failing).toBeGreaterThan(300);
});

test('of 1,000 tenants on 200 environments, the one that fails wholly is seen within an hour, and none of those that fail now and then', () => {
	const random = randomFrom(43);
	const clock = { ms: 0 };
	const environments = Array.from({ length: 200 }, () => createFailingSchemas(() => clock.ms));
	const seenAt = new Map<string, number>();
	for (clock.ms = 0; clock.ms < 60 * minute; clock.ms += minute / 2)
		for (let tenant = 0; tenant < 1000; tenant += 1) {
			// The first one fails wholly; of the others, a hundred fail in one of twenty requests.
			const fails = tenant === 0 || (tenant <= 100 && random() < 0.05);
			const failingSchemaOf = environments[Math.floor(random() * environments.length)];
			const record = { requestId: 'r', routeKey: 'POST /multipleDataTsdb', status: 0, durationMs: 1 };
			const schema = failingSchemaOf?.({ ...record, schema: `tenant ${tenant}`, outcome: fails ? 'fault' : 'ok' }) ?? null;
			if (schema !== null && !seenAt.has(schema)) seenAt.set(schema, clock.ms / minute);
		}
	expect([...seenAt.keys()]).toEqual(['tenant 0']);
	expect(seenAt.get('tenant 0')).toBeLessThan(60);
});
