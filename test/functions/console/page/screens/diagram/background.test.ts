import { afterEach, describe, expect, test, vi } from 'vitest';
import { backgroundAddress, cleanBackground } from '#page/screens/diagram/background.ts';

describe('a background', () => {
	afterEach(() => vi.unstubAllGlobals());

	test('is drawn only when it is cleaned, and refused if the browser cannot draw what is left', async () => {
		const tried: string[] = [];
		vi.stubGlobal(
			'Image',
			class {
				src = '';
				decode(): Promise<void> {
					tried.push(decodeURIComponent(this.src));
					return this.src.includes('broken') ? Promise.reject(new Error('broken')) : Promise.resolve();
				}
			},
		);
		const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
		const endless = svg('<g id="a"><use href="#a"/></g>');
		for (const refused of ['<svg', svg('<g>')]) expect(await cleanBackground(refused)).toEqual({ fault: 'not_svg' });
		expect(await cleanBackground(endless)).toEqual({ fault: 'endless' });
		expect(tried).toEqual([]);
		const clean = await cleanBackground(svg('<filter/><rect mask="inherit" width="1"/>'));
		expect(clean).toEqual({ fault: null, svg: expect.not.stringMatching(/filter|mask/) });
		expect(await cleanBackground(svg('<g id="broken"/>'))).toEqual({ fault: 'not_svg' });
		expect(tried).toEqual([expect.not.stringMatching(/filter|mask/), expect.stringContaining('broken')]);
	});

	test('is read back from its address', () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text fill="#000">100 % ñ & "</text></svg>';
		expect(decodeURIComponent(backgroundAddress(svg).replace('data:image/svg+xml,', ''))).toBe(svg);
	});
});
