import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	emptyKeyRing,
	type KeyRing,
	keyRingMaxAgeMs,
	maxKeyRingLength,
	parseKeyRing,
	serializeKeyRing,
} from '#domain/signing-keys/key-ring.ts';
import {
	activate,
	authorizerCacheMs,
	clockErrorMs,
	type NewKey,
	publicationLeadMs,
	publish,
	type RotationResult,
	retire,
} from '#domain/signing-keys/rotation.ts';
import { makeNewKey, ringAfter } from '#test/support/builders/key-rings.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 21, 12);
const lifetimeMs = hourMs;
const a = makeNewKey(1);
const b = makeNewKey(2);
const unchanged: RotationResult = { outcome: 'unchanged' };
const tooEarly = (from: number): RotationResult => ({ outcome: 'refused', refusal: { reason: 'too_early', from } });
const notPublished: RotationResult = { outcome: 'refused', refusal: { reason: 'not_published' } };

/** A ring in which `a` is active and `b` is published, both since `start`. */
const both = (): KeyRing => {
	const one = ringAfter(activate(ringAfter(publish(emptyKeyRing, a, start, lifetimeMs)), a.kid, start));
	return ringAfter(publish(one, b, start, lifetimeMs));
};

describe('publish', () => {
	test('adds the key with the time of its publication and activates nothing', () => {
		const ring = ringAfter(publish(emptyKeyRing, a, start, lifetimeMs));
		expect(ring).toEqual({ active: null, keys: [{ ...a, publishedAt: start }] });
	});

	test('changes nothing for a published key, even under another name', () => {
		expect(publish(both(), { ...b, name: 'renamed' }, start + 1, lifetimeMs)).toEqual(unchanged);
	});

	test.each([{ n: 'm'.repeat(342) }, { e: 'AAEAAQ' }])('refuses a key that is published with another public key', (other) => {
		expect(publish(both(), { ...b, ...other }, start + 1, lifetimeMs)).toEqual({
			outcome: 'refused',
			refusal: { reason: 'public_key_mismatch' },
		});
	});

	test('refuses a weak key and says why', () => {
		const weak = (change: Partial<NewKey>) => publish(emptyKeyRing, makeNewKey(1, change), start, lifetimeMs);
		const refusal = (weakness: string) => ({ outcome: 'refused', refusal: { reason: 'weak_key', weakness } });
		expect(weak({ n: 'n'.repeat(341) })).toEqual(refusal('n must be a modulus of at least 2048 bits.'));
		expect(weak({ n: 'n'.repeat(342) })).toMatchObject({ outcome: 'changed' });
		expect(weak({ e: 'Aw' })).toEqual(refusal('e must be an odd exponent of at least 65537.'));
	});

	test('accepts as many keys as the parameter holds after all have signed and stopped, and says when there will be room', () => {
		let ring = both();
		const names = { name: 'n'.repeat(30) };
		for (let number = 3; ; number += 1) {
			const step = publish(ring, makeNewKey(number, names), start, lifetimeMs);
			if (step.outcome !== 'changed') {
				expect(step).toEqual({ outcome: 'refused', refusal: { reason: 'full', from: 0 } });
				break;
			}
			ring = step.ring;
		}
		expect(ring.keys).toHaveLength(7);
		let now = start + publicationLeadMs;
		for (const { kid } of ring.keys.toReversed()) {
			const step = activate(ring, kid, now);
			ring = ringAfter(step);
			now += 1000;
		}
		const text = serializeKeyRing(ring);
		expect(text.length).toBeLessThanOrEqual(maxKeyRingLength);
		expect(text.length).toBeGreaterThan(maxKeyRingLength - 560);
		expect(parseKeyRing(text)).toEqual(ring);
		expect(publish(ring, makeNewKey(99), now, lifetimeMs)).toEqual({
			outcome: 'refused',
			refusal: { reason: 'full', from: start + publicationLeadMs + 1000 + lifetimeMs + authorizerCacheMs },
		});
	});
});

describe('activate', () => {
	test('activates the first key without waiting', () => {
		const published = ringAfter(publish(emptyKeyRing, a, start, lifetimeMs));
		expect(ringAfter(activate(published, a.kid, start - 1000)).active).toBe(a.kid);
	});

	test('activates any other key only after it was published for more than two hours', () => {
		expect(publicationLeadMs).toBeGreaterThan(2 * hourMs);
		expect(activate(both(), b.kid, start + publicationLeadMs - 1)).toEqual(tooEarly(start + publicationLeadMs));
		expect(activate(both(), b.kid, start + publicationLeadMs)).toEqual({
			outcome: 'changed',
			ring: {
				active: b.kid,
				keys: [
					{ ...a, publishedAt: start, signedUntil: start + publicationLeadMs },
					{ ...b, publishedAt: start },
				],
			},
		});
	});

	test('activates a key without waiting when the active key is lost', () => {
		expect(activate(both(), b.kid, start + 1, { isActiveKeyLost: true })).toEqual({
			outcome: 'changed',
			ring: {
				active: b.kid,
				keys: [
					{ ...a, publishedAt: start, signedUntil: start + 1 },
					{ ...b, publishedAt: start },
				],
			},
		});
	});

	test('activates a previously active key immediately', () => {
		const now = start + publicationLeadMs;
		const ring = ringAfter(activate(ringAfter(activate(both(), b.kid, now)), a.kid, now + 1));
		expect(ring).toEqual({
			active: a.kid,
			keys: [
				{ ...a, publishedAt: start },
				{ ...b, publishedAt: start, signedUntil: now + 1 },
			],
		});
	});

	test('changes nothing for the active key', () => {
		expect(activate(both(), a.kid, start + 1)).toEqual(unchanged);
	});

	test('refuses a key that is not published', () => {
		expect(activate(both(), makeNewKey(3).kid, start + publicationLeadMs)).toEqual(notPublished);
	});
});

describe('retire', () => {
	const stopped = start + publicationLeadMs;
	const rotated = () => ringAfter(activate(both(), b.kid, stopped));

	test.each([60_000, hourMs, 24 * hourMs])(
		'refuses a key until its last token of %d ms has expired and two more hours have passed',
		(tokenLifetimeMs) => {
			const from = stopped + tokenLifetimeMs + 2 * hourMs;
			expect(retire(rotated(), a.kid, from - 1, tokenLifetimeMs)).toEqual(tooEarly(from));
			expect(retire(rotated(), a.kid, from, tokenLifetimeMs)).toEqual({
				outcome: 'changed',
				ring: { active: b.kid, keys: [{ ...b, publishedAt: start }] },
			});
		},
	);

	test('refuses the active key at any time', () => {
		const refusal: RotationResult = { outcome: 'refused', refusal: { reason: 'signing' } };
		expect(retire(both(), a.kid, start + 1000 * hourMs, lifetimeMs)).toEqual(refusal);
	});

	test('retires a key that never signed without waiting', () => {
		expect(ringAfter(retire(both(), b.kid, start - 1000, lifetimeMs)).keys.map(({ kid }) => kid)).toEqual([a.kid]);
	});

	test('refuses a key that is not published', () => {
		expect(retire(rotated(), makeNewKey(3).kid, stopped, lifetimeMs)).toEqual(notPublished);
	});
});

/** A stored ring and the true time of the change. The operator's clock may differ. */
interface RingChange {
	readonly at: number;
	readonly ring: KeyRing;
}

/** Returns the key that was active in each span of time. */
const signingSpans = (history: readonly RingChange[]) => {
	const spans: { kid: string; from: number; until: number }[] = [];
	for (const [index, { at, ring }] of history.entries()) {
		const until = history[index + 1]?.at ?? Number.POSITIVE_INFINITY;
		const last = spans.at(-1);
		if (last !== undefined && last.kid === ring.active) last.until = until;
		else if (ring.active !== null) spans.push({ kid: ring.active, from: at, until });
	}
	return spans;
};

/** Whether a key was published during the whole time from `from` until `until`. */
const isPublishedThroughout = (history: readonly RingChange[], kid: string, from: number, until: number): boolean =>
	[{ at: Number.NEGATIVE_INFINITY, ring: emptyKeyRing }, ...history].every(({ at, ring }, index) => {
		const end = history[index]?.at ?? Number.POSITIVE_INFINITY;
		return end <= from || at >= until || ring.keys.some((key) => key.kid === kid);
	});

describe('any sequence of steps', () => {
	const lifetimesMs = [60_000, hourMs, 24 * hourMs];
	/** The shortest true lead: both clocks are wrong by the largest allowed error. */
	const shortestLeadMs = publicationLeadMs - 2 * clockErrorMs;
	const waits = fc.oneof(
		{ arbitrary: fc.constantFrom(0, shortestLeadMs - 1, shortestLeadMs, publicationLeadMs), weight: 4 },
		{ arbitrary: fc.constantFrom(...lifetimesMs.map((lifetime) => lifetime + authorizerCacheMs)), weight: 1 },
		{ arbitrary: fc.nat(30 * hourMs), weight: 1 },
	);
	const commands = fc.array(
		fc.record({
			waitMs: waits,
			step: fc.constantFrom('publish' as const, 'activate' as const, 'retire' as const),
			key: fc.integer({ min: 1, max: 3 }),
			clockErrorMs: fc.constantFrom(-clockErrorMs, 0, clockErrorMs),
		}),
		{ minLength: 5, maxLength: 40, size: 'max' },
	);

	test('every authorizer with a cache of up to two hours knows the key of every token during its whole lifetime', () => {
		const taken = { publish: 0, activate: 0, retire: 0 };
		fc.assert(
			fc.property(commands, fc.constantFrom(...lifetimesMs), (sequence, tokenLifetimeMs) => {
				const history: RingChange[] = [];
				let ring = emptyKeyRing;
				let at = start;
				for (const command of sequence) {
					at += command.waitMs;
					const now = at + command.clockErrorMs;
					const key = makeNewKey(command.key);
					const steps = {
						publish: () => publish(ring, key, now, tokenLifetimeMs),
						activate: () => activate(ring, key.kid, now),
						retire: () => retire(ring, key.kid, now, tokenLifetimeMs),
					};
					const step = steps[command.step]();
					if (step.outcome !== 'changed') continue;
					taken[command.step] += 1;
					ring = step.ring;
					history.push({ at, ring });
					expect(parseKeyRing(serializeKeyRing(ring))).toEqual(ring);
				}
				for (const [index, { kid, from, until }] of signingSpans(history).entries()) {
					// A warm function still uses its previous ring. So does a function that serves the keys, and then the authorizer's cache.
					const lastSignature = until + keyRingMaxAgeMs;
					const oldestCache = index === 0 ? from : from - authorizerCacheMs - keyRingMaxAgeMs;
					expect(isPublishedThroughout(history, kid, oldestCache, lastSignature + tokenLifetimeMs)).toBe(true);
				}
			}),
			{ numRuns: 3000 },
		);
		expect(Math.min(taken.publish, taken.activate, taken.retire)).toBeGreaterThan(1000);
	});
});
