import { describe, expect, test } from 'vitest';
import { maxBackgroundBytes } from '#domain/board/symbol-kinds.ts';
import { backgroundAddress, backgroundFault } from '#page/screens/diagram/background.ts';

describe('a background', () => {
	test('is an SVG of at most 200 KB', () => {
		expect(backgroundFault('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')).toBeNull();
		expect(backgroundFault('<html></html>')).toBe('not_svg');
		const open = '<svg xmlns="http://www.w3.org/2000/svg">';
		expect(backgroundFault(open + 'x'.repeat(maxBackgroundBytes - open.length))).toBeNull();
		expect(backgroundFault(open + 'x'.repeat(maxBackgroundBytes - open.length + 1))).toBe('too_large');
		expect(backgroundFault(open + 'ñ'.repeat(maxBackgroundBytes / 2))).toBe('too_large');
	});

	test('is read back from its address', () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text fill="#000">100 % ñ & "</text></svg>';
		expect(decodeURIComponent(backgroundAddress(svg).replace('data:image/svg+xml,', ''))).toBe(svg);
	});
});
