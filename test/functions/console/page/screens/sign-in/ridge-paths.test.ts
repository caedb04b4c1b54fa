import { expect, test } from 'vitest';
import { ridgeBox, ridgePaths } from '#page/screens/sign-in/ridge-paths.ts';

test('every ridge is made of finite numbers, begins and ends outside the drawing, and covers what is below', () => {
	expect(ridgePaths()).toHaveLength(12);
	for (const path of ridgePaths()) {
		const numbers = path.match(/-?[\d.]+/g)?.map(Number) ?? [];
		expect(numbers.length).toBeGreaterThan(2 * 48);
		expect(path).not.toContain('NaN');
		const bottom = ridgeBox.height + 20;
		expect(path.startsWith(`M-20 ${bottom}V`)).toBe(true);
		expect(path.endsWith(`H${ridgeBox.width + 20}V${bottom}Z`)).toBe(true);
		expect(Math.min(...numbers.slice(1))).toBeGreaterThanOrEqual(0);
	}
});
