import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Admission, createBreaker } from '#adapters/breaker.ts';

/** Opens a breaker with a clock that the test sets. */
const open = () => {
	const clock = { ms: 1_000_000 };
	const breaker = createBreaker(() => clock.ms);
	/** Starts a read that must be let through. */
	const started = (isShort = true, database = 'plant'): Admission => {
		const admission = breaker.admit(database, isShort);
		if (admission === null) throw new Error('The read was refused.');
		return admission;
	};
	/** Lets short reads end without an answer. */
	const fail = (count: number, database?: string): void => {
		for (let read = 0; read < count; read += 1) started(true, database).ended(true);
	};
	const admit = (isShort: boolean, database = 'plant') => breaker.admit(database, isShort);
	return { clock, breaker: { admit }, started, fail };
};

describe('the circuit of a database', () => {
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

	test('lets one large read through at a time after 10 s without a short one, beside one short one', () => {
		const { clock, breaker, started, fail } = open();
		fail(3);
		clock.ms += 9999;
		expect(breaker.admit(false)).toBeNull();
		clock.ms += 1;
		started(false).ended(true);
		for (const isShort of [false, true])
			expect([breaker.admit(isShort), breaker.admit(isShort)].filter((admission) => admission !== null)).toHaveLength(1);
	});

	test('lets reads through when the clock was set back', () => {
		const { clock, breaker, fail } = open();
		fail(3);
		clock.ms -= 3_600_000;
		expect(breaker.admit(true)).not.toBeNull();
	});
});

describe('neighbours', () => {
	test('a database that hangs is refused, and the others are read, however often it is asked', () => {
		const { clock, breaker, started, fail } = open();
		fail(3, 'hangs');
		expect(breaker.admit(true, 'hangs')).toBeNull();
		for (let probe = 0; probe < 10; probe += 1) {
			clock.ms += 2000;
			started(true, 'hangs').ended(true);
			expect([breaker.admit(true, 'well'), breaker.admit(false, 'well')]).not.toContain(null);
		}
	});

	test('an answer of another database does not close it', () => {
		const { breaker, started, fail } = open();
		fail(3, 'hangs');
		started(true, 'well').answered();
		expect(breaker.admit(true, 'hangs')).toBeNull();
	});

	test('the server is refused when three databases in a row have no answer, and is asked by one read at a time', () => {
		const { clock, breaker, fail } = open();
		for (const database of ['a', 'b', 'c']) fail(1, database);
		expect([breaker.admit(true, 'a'), breaker.admit(true, 'd')]).toEqual([null, null]);
		clock.ms += 2000;
		const admitted = ['d', 'a', 'e'].map((database) => breaker.admit(true, database));
		expect(admitted.map((admission) => admission !== null)).toEqual([true, false, false]);
		admitted[0]?.answered();
		expect([breaker.admit(true, 'a'), breaker.admit(true, 'e')]).not.toContain(null);
	});

	test('while the server is refused, databases without an answer wait 10 s, and one at a time is asked beside one that may be well', () => {
		const { clock, breaker, started, fail } = open();
		for (const database of ['a', 'b', 'c']) fail(1, database);
		clock.ms += 9999;
		expect(breaker.admit(true, 'a')).toBeNull();
		clock.ms += 1;
		const silent = started(true, 'a');
		expect(breaker.admit(true, 'b')).toBeNull();
		started(true, 'd').answered();
		silent.ended(true);
		expect(['a', 'b', 'c', 'e'].map((database) => breaker.admit(true, database))).not.toContain(null);
	});

	test.each([1, 2, 3, 5, 20])('%i databases that hang keep one that is well from being read for 2 s, once', (count) => {
		const { clock, breaker } = open();
		const hanging = Array.from({ length: count }, (_, index) => `hangs ${index}`);
		const underWay: { readonly admission: Admission; readonly endsAt: number }[] = [];
		let refused = 0;
		let lastRefusedAt = clock.ms;
		const from = clock.ms;
		for (; clock.ms - from < 600_000; clock.ms += 500) {
			for (const { admission } of underWay.filter(({ endsAt }) => endsAt === clock.ms)) admission.ended(true);
			for (const database of hanging) {
				const admission = breaker.admit(true, database);
				if (admission !== null) underWay.push({ admission, endsAt: clock.ms + 4000 });
			}
			const well = breaker.admit(true, 'well');
			well?.answered();
			well?.ended(false);
			if (well !== null) continue;
			refused += 1;
			lastRefusedAt = clock.ms;
		}
		expect(refused).toBeLessThanOrEqual(4);
		expect(lastRefusedAt - from).toBeLessThan(20_000);
	});

	test('an answer of any database between them keeps the server closed', () => {
		const { breaker, started, fail } = open();
		for (const database of ['a', 'b']) fail(1, database);
		started(true, 'well').answered();
		for (const database of ['a', 'b']) fail(1, database);
		expect(breaker.admit(true, 'd')).not.toBeNull();
	});
});

/** A read of one run that ended without an answer, or the answer to one, by the rules of shared/adapters/influx/README.md#breaker alone. */
type LogEntry = { readonly ms: number; readonly database: string } & (
	| { readonly what: 'answer' }
	| {
			readonly what: 'short read ended';
			readonly isUnanswered: boolean;
			/** Whether its database had no unanswered read when it began. */
			readonly isNews: boolean;
			readonly isProbe: { database: boolean; server: boolean };
	  }
);

/** When a circuit opened, or was kept open, by the whole log; undefined when it is closed. Without a database: the circuit of the server. */
const openedAtOf = (log: readonly LogEntry[], database?: string): number | undefined => {
	const own = log.filter((entry) => database === undefined || entry.database === database);
	const sinceAnswer = own.slice(own.findLastIndex(({ what }) => what === 'answer') + 1);
	const ended = sinceAnswer.flatMap((entry) => (entry.what === 'short read ended' ? [entry] : []));
	const unanswered = ended.filter(({ isUnanswered }) => isUnanswered);
	const counted =
		database === undefined
			? unanswered.filter((entry) => entry.isNews && !isSilent(log.slice(0, log.indexOf(entry)), entry.database))
			: unanswered;
	const third = counted[2];
	if (third === undefined) return undefined;
	const probes = ended.filter(({ isProbe, isNews }) => (database === undefined ? isProbe.server && isNews : isProbe.database));
	return Math.max(third.ms, ...probes.map(({ ms }) => ms));
};

/** Whether a database has had an unanswered read since its last answer. */
const isSilent = (log: readonly LogEntry[], database: string): boolean => {
	const own = log.filter((entry) => entry.database === database);
	return own
		.slice(own.findLastIndex(({ what }) => what === 'answer') + 1)
		.some((entry) => entry.what === 'short read ended' && entry.isUnanswered);
};

const databases = ['a', 'b', 'c', 'd'];

const step = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 500, 1000, 1999, 2000, 10_000) }),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			do: fc.constant('start' as const),
			// One database is asked more often than the others.
			database: fc.constantFrom('a', 'a', ...databases),
			isShort: fc.nat(3).map((quarter) => quarter > 0),
		}),
	},
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

/** A read under way, and which circuits were open when it began. */
interface Read {
	readonly admission: Admission;
	readonly database: string;
	readonly isShort: boolean;
	readonly isNews: boolean;
	readonly isProbe: { readonly database: boolean; readonly server: boolean };
	isAnswered: boolean;
}

test('for any order of events, a breaker lets through what the log of all reads allows', () => {
	const counts = { database: 0, server: 0, refusedBesideOthers: 0, probes: 0 };
	fc.assert(
		fc.property(fc.array(step, { maxLength: 80, size: 'max' }), (steps) => {
			const { clock, breaker } = open();
			const log: LogEntry[] = [];
			const reads: Read[] = [];
			/** Whether a circuit lets a read through, and whether it is open. */
			const circuitOf = (isShort: boolean, of: 'database' | 'server', database?: string) => {
				const openedAt = openedAtOf(log, database);
				if (openedAt === undefined) return { lets: true, isOpen: false };
				const rivals = reads.filter(
					(read) =>
						read.isProbe[of] &&
						(database === undefined ? read.isNews === isShort : read.database === database && read.isShort === isShort),
				);
				return { lets: clock.ms - openedAt >= (isShort ? 2000 : 10_000) && rivals.length === 0, isOpen: true };
			};
			for (const event of steps) {
				if (event.do === 'wait') clock.ms += event.ms;
				else if (event.do === 'start') {
					const { database, isShort } = event;
					const isNews = isShort && !isSilent(log, database);
					const [own, server] = [circuitOf(isShort, 'database', database), circuitOf(isNews, 'server')];
					const admission = breaker.admit(isShort, database);
					expect(admission !== null).toBe(own.lets && server.lets);
					if (!own.lets) counts.database += 1;
					if (!server.lets) counts.server += 1;
					if (!own.lets && !server.isOpen) counts.refusedBesideOthers += 1;
					if (admission === null) continue;
					if (own.isOpen || server.isOpen) counts.probes += 1;
					const isProbe = { database: own.isOpen, server: server.isOpen };
					reads.push({ admission, database, isShort, isNews, isProbe, isAnswered: false });
				} else {
					const index = event.read % Math.max(1, reads.length);
					const read = reads[index];
					if (read === undefined) continue;
					const { database, isNews, isProbe } = read;
					if (event.do === 'answer') {
						read.admission.answered();
						read.isAnswered = true;
						log.push({ ms: clock.ms, database, what: 'answer' });
						continue;
					}
					read.admission.ended(event.isUnanswered);
					reads.splice(index, 1);
					if (read.isShort && !read.isAnswered)
						log.push({ ms: clock.ms, database, what: 'short read ended', isUnanswered: event.isUnanswered, isNews, isProbe });
				}
			}
		}),
		{ numRuns: 1000 },
	);
	expect(Math.min(counts.database, counts.server, counts.refusedBesideOthers)).toBeGreaterThan(500);
	expect(counts.probes).toBeGreaterThan(100);
});
