import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { minReservableConcurrency, reservedConcurrencyOf } from '#infra/aws/concurrency.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { openTenants, type TenantsOptions } from '#test/support/reports/many-tenants.ts';

const minuteMs = 60_000;
const midnight = Date.UTC(2026, 9, 21);
/** The day that ends at midnight. It is due 15 minutes later. */
const date = '2026-10-20';

const { closeReportDays: concurrency = 0 } = reservedConcurrencyOf({
	...{ accountConcurrency: minReservableConcurrency, reservedConcurrency: {}, publicDocs: true, openIdProviders: [] },
	authUrl: 'https://identity.utility.test',
});

/** The two loops: `phaseMs` is when the first run is, after the tenants were opened. */
const loops = {
	Lambda: ({ runOnLambda }: Tenants, phaseMs: number) => runOnLambda({ concurrency, phaseMs }),
	'one machine': ({ runOnMachine }: Tenants, phaseMs: number) => void setTimeout(runOnMachine, phaseMs),
} as const;
type Tenants = Awaited<ReturnType<typeof openTenants>>;

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

/** Runs a loop from half an hour before midnight until a time after it, and checks what became of the day. Returns how it went. */
const run = async (
	loop: keyof typeof loops,
	untilMs: number,
	{ phaseMs, ...options }: TenantsOptions & { readonly phaseMs: number },
) => {
	vi.clearAllTimers();
	vi.setSystemTime(midnight - 30 * minuteMs);
	const tenants = await openTenants(options);
	loops[loop](tenants, phaseMs);
	await vi.advanceTimersByTimeAsync(30 * minuteMs);
	const writesBefore = tenants.state.writes;
	await vi.advanceTimersByTimeAsync(untilMs);
	const { names, hangs, firstStored, sent, state } = tenants;
	const storedAt = new Map(firstStored.flatMap((each) => (each.date === date ? [[each.schema, each.at]] : [])));
	const messages = Map.groupBy(
		sent.filter((each) => each.date === date),
		({ schema }) => schema,
	);
	const well = names.filter((name) => !hangs.has(name));
	// Each day of each tenant was stored for the first time once.
	expect(new Set(firstStored.map((each) => `${each.schema} ${each.date}`)).size).toBe(firstStored.length);
	expect([...storedAt.keys()].sort()).toEqual(well);
	expect([...messages.keys()].sort()).toEqual(well);
	let unsure = 0;
	for (const name of well) {
		const day = await tenants.dayOf(name, date);
		expect(day).toMatchObject({ revision: 1, seal: null, sending: { isAccepted: true } });
		const repeats = (messages.get(name) ?? []).map(({ isRepeated }) => isRepeated);
		if (repeats.length === 1 && repeats[0] === false) continue;
		// At least once: the process ended when nobody knew whether the message was accepted, so the next one says that it may be a repetition.
		expect([[false, true], [true]]).toContainEqual(repeats);
		unsure += 1;
	}
	tenants.close();
	const lastAt = Math.max(...[...storedAt.values(), ...sent.map(({ at }) => at)]) - midnight;
	return { ...state, writesBefore, unsure, lastAt };
};

/** They hang when all days are due, so nothing is known of them before. */
const hangsFrom = midnight + 15 * minuteMs;
const many = { count: 1000, hanging: 20, hangsFrom, readMs: 500 };
const few = { count: 8, hanging: 3, hangsFrom, readMs: 5000 };
/** Most schemas of one process whose messages can be on their way when it is killed. */
const atOnce = { Lambda: 4, 'one machine': 32 } as const;

describe.each(['Lambda', 'one machine'] as const)('the days of all tenants, some of which begin to hang: %s', (loop) => {
	test('each other day of 1,000 tenants is stored once and sent once within 30 minutes after its end, whenever runs begin', {
		timeout: casesOf(120_000),
	}, async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 0, max: 5 * minuteMs - 1 }), async (phaseMs) => {
				const { lastAt, unsure } = await run(loop, 30 * minuteMs, { ...many, phaseMs });
				expect(lastAt).toBeLessThanOrEqual(30 * minuteMs);
				expect(unsure).toBe(0);
			}),
			{ numRuns: casesOf(1), seed: firstSeed },
		);
	});

	test('nothing is lost when a process is killed at any write or message: it takes 10 minutes more, and some messages say that they may repeat', {
		timeout: 120_000,
	}, async () => {
		const quiet = await run(loop, 40 * minuteMs, { ...few, phaseMs: 0 });
		expect([quiet.kills, quiet.unsure]).toEqual([0, 0]);
		let unsure = 0;
		// The end after one write is that before the next.
		for (let write = quiet.writesBefore; write < quiet.writes; write += 1) {
			const killed = await run(loop, 40 * minuteMs, { ...few, phaseMs: 0, kill: { write, isBefore: false } });
			expect(killed.kills).toBe(1);
			expect(killed.unsure).toBeLessThanOrEqual(atOnce[loop]);
			unsure += killed.unsure;
		}
		expect(unsure).toBeGreaterThan(0);
	});
});

test('nothing is lost when one of the invocations for 1,000 tenants is killed at any write or message', {
	timeout: casesOf(120_000),
}, async () => {
	const kill = fc.record({ write: fc.integer({ min: 0, max: 18_000 }), isBefore: fc.boolean() });
	await fc.assert(
		fc.asyncProperty(fc.integer({ min: 0, max: 5 * minuteMs - 1 }), kill, async (phaseMs, killAt) => {
			const { kills, unsure } = await run('Lambda', 40 * minuteMs, { ...many, phaseMs, kill: killAt });
			expect(kills).toBe(1);
			expect(unsure).toBeLessThanOrEqual(atOnce.Lambda);
		}),
		{ numRuns: casesOf(1), seed: firstSeed },
	);
});
