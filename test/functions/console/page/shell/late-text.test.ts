import { afterAll, expect, test, vi } from 'vitest';

// The page's client takes these when it is loaded, and another file may have loaded it.
vi.resetModules();
vi.stubGlobal('document', { baseURI: 'http://console.test/' });
vi.stubGlobal('location', { hash: '' });
vi.stubGlobal('addEventListener', () => undefined);
const { evaluation } = await import('#page/core/alarms.ts');
const { now } = await import('#page/core/clock.ts');
const { chosenZone } = await import('#page/core/time-zone.ts');
const { lateText } = await import('#page/shell/alarm-line.tsx');
// The modules have taken them. Other files share the process.
vi.unstubAllGlobals();

const before = { zone: chosenZone.value, now: now.value };

afterAll(() => {
	chosenZone.value = before.zone;
	now.value = before.now;
	evaluation.value = undefined;
});

test.each([
	['today', '2026-11-21T03:10:00Z', /^Alarms not evaluated since 03:10$/],
	['never', null, /^Alarms wait for their first evaluation$/],
	['two days ago', '2026-11-19T03:10:00Z', /^Alarms not evaluated since .*19 Nov.* 03:10/],
])('alarms that are not evaluated since %s', (_, until, expected) => {
	chosenZone.value = 'UTC';
	now.value = Date.parse('2026-11-21T16:12:00Z');
	evaluation.value = { status: until === null ? 'never' : 'late', until, unbound: 0 };
	expect(lateText()).toMatch(expected);
});
