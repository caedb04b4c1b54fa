import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Admission, createBreaker } from '#adapters/influx-common/breaker.ts';

/** Opens a breaker with a clock that the test sets. */
const open = () => {
	const clock = { ms: 1_000_000 };
	const breaker = createBreaker(() => clock.ms);
	/** Starts a read that must be let through. */
	const started = (isShort = true): Admission => {
		const admission = breaker.admit(isShort);
		if (admission === null) throw new Error('The read was refused.');
		return admission;
	};
	/** Lets short reads end without an answer. */
	const fail = (count: number): void => {
		for (let read = 0; read < count; read += 1) started().ended(true);
	};
	return { clock, breaker, started, fail };
};

describe('a breaker', () => {
	test('lets reads through until three short ones in a row have no answer', () => {
		const { breaker, fail } = open();
		fail(2);
		expect([breaker.admit(true), breaker.admit(false)]).not.toContain(null);
		fail(1);
		expect([breaker.admit(true), breaker.admit(false)]).toEqual([null, null]);
	});

	test.each([true, false])('counts from 0 again after an answer to any read (short: %s)', (isShort) => {
		const { breaker, started, fail } = open();
		fail(2);
		started(isShort).answered();
		fail(2);
		expect(breaker.admit(true)).not.toBeNull();
	});

	test('does not count large reads, nor short ones that ended for another reason', () => {
		const { breaker, started } = open();
		for (let read = 0; read < 10; read += 1) {
			started(false).ended(true);
			started(true).ended(false);
		}
		expect(breaker.admit(true)).not.toBeNull();
	});

	test('refuses everything for 2 s, then lets one short read through and no large one', () => {
		const { clock, breaker, fail } = open();
		fail(3);
		clock.ms += 1999;
		expect([breaker.admit(false), breaker.admit(true)]).toEqual([null, null]);
		clock.ms += 1;
		expect(breaker.admit(false)).toBeNull();
		expect(breaker.admit(true)).not.toBeNull();
		expect([breaker.admit(true), breaker.admit(false)]).toEqual([null, null]);
	});

	test.each([true, false])('refuses for 2 s more when that read has no answer (deadline: %s)', (isUnanswered) => {
		const { clock, breaker, started, fail } = open();
		fail(3);
		clock.ms += 2000;
		const probe = started();
		clock.ms += 4000;
		probe.ended(isUnanswered);
		clock.ms += 1999;
		expect(breaker.admit(true)).toBeNull();
		clock.ms += 1;
		expect(breaker.admit(true)).not.toBeNull();
	});

	test('closes as soon as that read, or one from before, is answered', () => {
		for (const before of [true, false]) {
			const { clock, breaker, started, fail } = open();
			const early = started(false);
			fail(3);
			clock.ms += 2000;
			const probe = started();
			(before ? early : probe).answered();
			expect([breaker.admit(true), breaker.admit(false), breaker.admit(true)]).not.toContain(null);
		}
	});

	test('lets large reads through after 10 s without a short one, and still only one short one', () => {
		const { clock, breaker, started, fail } = open();
		fail(3);
		clock.ms += 9999;
		expect(breaker.admit(false)).toBeNull();
		clock.ms += 1;
		started(false).ended(true);
		expect(breaker.admit(false)).not.toBeNull();
		expect([breaker.admit(true), breaker.admit(true)].filter((admission) => admission !== null)).toHaveLength(1);
	});

	test('lets reads through when the clock was set back', () => {
		const { clock, breaker, fail } = open();
		fail(3);
		clock.ms -= 3_600_000;
		expect(breaker.admit(true)).not.toBeNull();
	});
});

/** What happened to the reads of one run, by the rules of shared/adapters/influx/README.md#breaker alone. */
type LogEntry = { readonly ms: number; readonly what: 'answer' | 'unanswered' | 'probe ended' };

/** When the breaker opened, or was kept open, by the whole log; undefined when it is closed. */
const openedAtOf = (log: readonly LogEntry[]): number | undefined => {
	const sinceAnswer = log.slice(log.findLastIndex(({ what }) => what === 'answer') + 1);
	const third = sinceAnswer.filter(({ what }) => what === 'unanswered')[2];
	if (third === undefined) return undefined;
	return Math.max(third.ms, ...sinceAnswer.flatMap(({ ms, what }) => (what === 'probe ended' ? [ms] : [])));
};

const step = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 500, 1000, 1999, 2000, 10_000) }),
	},
	{ weight: 6, arbitrary: fc.record({ do: fc.constant('start' as const), isShort: fc.boolean() }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('answer' as const), read: fc.nat(50) }) },
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('end' as const),
			read: fc.nat(50),
			isUnanswered: fc.nat(5).map((sixth) => sixth > 0),
		}),
	},
);

test('for any order of events, a breaker lets through what the log of all reads allows', () => {
	let [refused, probes] = [0, 0];
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
			const { clock, breaker } = open();
			const log: LogEntry[] = [];
			const reads: { admission: Admission; isShort: boolean; isProbe: boolean; isAnswered: boolean }[] = [];
			for (const event of steps) {
				if (event.do === 'wait') clock.ms += event.ms;
				else if (event.do === 'start') {
					const { isShort } = event;
					const openedAt = openedAtOf(log);
					const openMs = openedAt === undefined ? undefined : clock.ms - openedAt;
					const isAllowed =
						openMs === undefined || (isShort ? openMs >= 2000 && !reads.some(({ isProbe }) => isProbe) : openMs >= 10_000);
					const admission = breaker.admit(isShort);
					expect(admission !== null).toBe(isAllowed);
					if (admission === null) refused += 1;
					else {
						const isProbe = isShort && openMs !== undefined;
						if (isProbe) probes += 1;
						reads.push({ admission, isShort, isProbe, isAnswered: false });
					}
				} else {
					const index = event.read % Math.max(1, reads.length);
					const read = reads[index];
					if (read === undefined) continue;
					if (event.do === 'answer') {
						read.admission.answered();
						read.isAnswered = true;
						log.push({ ms: clock.ms, what: 'answer' });
						continue;
					}
					read.admission.ended(event.isUnanswered);
					reads.splice(index, 1);
					if (read.isAnswered) continue;
					const isOpen = openedAtOf(log) !== undefined;
					if (isOpen && read.isProbe) log.push({ ms: clock.ms, what: 'probe ended' });
					if (!isOpen && read.isShort && event.isUnanswered) log.push({ ms: clock.ms, what: 'unanswered' });
				}
			}
		}),
		{ numRuns: 1000 },
	);
	expect(refused).toBeGreaterThan(1000);
	expect(probes).toBeGreaterThan(100);
});
