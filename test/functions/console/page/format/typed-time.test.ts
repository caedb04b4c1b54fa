import { expect, test } from 'vitest';
import { parseTimeOfDay } from '#page/format/typed-time.ts';

test.each([
	...[['6', '06:00'] as const, ['06', '06:00'] as const, ['23', '23:00'] as const, ['6:', '06:00'] as const],
	...[['6:30', '06:30'] as const, ['0630', '06:30'] as const, ['630', '06:30'] as const, [' 23.59 ', '23:59'] as const],
	...[['', null] as const, ['24:00', null] as const, ['6:60', null] as const, ['6:3', null] as const, ['six', null] as const],
	...[['-1', null] as const, ['12:000', null] as const],
])('%o is the time of day %o', (typed, time) => {
	expect(parseTimeOfDay(typed)).toBe(time);
});
