import { describe, expect, test } from 'vitest';
import { backgroundAddress } from '#page/screens/diagram/background.ts';

describe('a background', () => {
	test('is read back from its address', () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text fill="#000">100 % ñ & "</text></svg>';
		expect(decodeURIComponent(backgroundAddress(svg).replace('data:image/svg+xml,', ''))).toBe(svg);
	});
});
