import { afterAll, beforeAll, expect, test, vi } from 'vitest';

// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { now } = await import('#page/core/clock.ts');
const { language } = await import('#page/core/preferences.ts');
const { chosenZone } = await import('#page/core/time-zone.ts');
const { sessionText } = await import('#page/shell/connection-band.tsx');
// The modules have taken them. Other files share the process.
vi.unstubAllGlobals();

const before = { zone: chosenZone.value, now: now.value, language: language.value };
const endsAt = Date.parse('2026-11-21T16:12:00Z');

beforeAll(() => {
	chosenZone.value = 'UTC';
	now.value = endsAt;
});

afterAll(() => {
	chosenZone.value = before.zone;
	now.value = before.now;
	language.value = before.language;
});

test.each([
	['nine minutes and a second before its end', -541_000, 'The session ends at 16:12, in 10 min. '],
	['a moment before its end', -1, 'The session ends at 16:12, in 1 min. '],
	['at its end', 0, 'The session ended at 16:12. '],
	['an hour after its end', 3_600_000, 'The session ended at 16:12. '],
])('the band about the session, %s', (_, afterEndMs, beginning) => {
	language.value = 'en';
	const { shown, announced } = sessionText(endsAt, endsAt + afterEndMs);
	expect(shown.startsWith(beginning)).toBe(true);
	expect(announced).toBe(afterEndMs < 0 ? 'The session ends at 16:12' : 'The session ended at 16:12');
});

test('in Spanish it claims no future after the end either', () => {
	language.value = 'es';
	const { shown, announced } = sessionText(endsAt, endsAt + 1);
	expect(`${announced} ${shown}`).not.toMatch(/termina |dentro de/);
});
