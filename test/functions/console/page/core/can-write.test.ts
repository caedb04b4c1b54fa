import { beforeEach, describe, expect, test, vi } from 'vitest';

// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { canWrite, pausedUntil, polling, showsOutdated } = await import('#page/core/poll.ts');
const { now } = await import('#page/core/clock.ts');
// The modules have taken them. Other files share the process.
vi.unstubAllGlobals();

describe('whether saving can work', () => {
	beforeEach(() => {
		[now.value, pausedUntil.value] = [0, null];
		polling.value = { ...polling.value, succeededAt: 0, failure: null };
	});
	const refused = { kind: 'refused', status: 503, errors: {}, retryAfterMs: null } as const;

	test('it can while the polling is paused, however old the values on the screen are', () => {
		pausedUntil.value = 4_000_000;
		now.value = 3_600_000;
		expect([showsOutdated.value, canWrite.value]).toEqual([true, { ok: true }]);
	});

	test('it cannot without an answer, and the code says why', () => {
		polling.value = { ...polling.value, failure: { kind: 'unreachable', status: 0, errors: {}, retryAfterMs: null } };
		expect(canWrite.value).toEqual({ ok: false, code: 'no_connection' });
		pausedUntil.value = 4_000_000;
		expect(canWrite.value).toEqual({ ok: false, code: 'no_connection' });
	});

	test('after an error it can until the values are out of date', () => {
		polling.value = { ...polling.value, failure: refused };
		expect(canWrite.value).toEqual({ ok: true });
		now.value = 3_600_000;
		expect(canWrite.value).toEqual({ ok: false, code: 'no_connection' });
	});
});
