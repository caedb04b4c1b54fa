import { afterEach, describe, expect, test, vi } from 'vitest';
import { backgroundAddress, cleanBackground, readBackgroundFile } from '#page/screens/diagram/background.ts';

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
		expect(await cleanBackground('<svg')).toEqual({ fault: 'not_xml', line: 1, column: 5 });
		expect(await cleanBackground(svg('<g>\n</a>'))).toEqual({ fault: 'not_xml', line: 2, column: 1 });
		for (const refused of ['<svg/>', '<html/>', svg('').replace('svg"', 'svg2"')])
			expect(await cleanBackground(refused)).toEqual({ fault: 'not_svg' });
		expect(await cleanBackground(endless)).toEqual({ fault: 'endless' });
		expect(tried).toEqual([]);
		const clean = await cleanBackground(svg('<filter/><rect mask="inherit" width="1"/>'));
		const lost = new Map([
			['effects', 1],
			['styles', 1],
		]);
		expect(clean).toEqual({ fault: null, svg: expect.not.stringMatching(/filter|mask/), lost });
		expect(await cleanBackground(svg('<g id="broken"/>'))).toEqual({ fault: 'no_picture' });
		expect(tried).toEqual([expect.not.stringMatching(/filter|mask/), expect.stringContaining('broken')]);
	});

	test('has a size that is judged after it is cleaned, and a file of 5 MB at most', async () => {
		vi.stubGlobal(
			'Image',
			class {
				decode = async (): Promise<void> => undefined;
			},
		);
		const root = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">';
		/** A drawing of a number of bytes, and as many in notes of a program. */
		const file = (bytes: number, notes: string) =>
			new File([`${root}<metadata>${notes}</metadata><text>${'x'.repeat(bytes - root.length - 19)}</text></svg>`], 'a.svg');
		expect(await readBackgroundFile(file(200_000, 'é'.repeat(1_000_000)))).toMatchObject({ fault: null });
		expect(await readBackgroundFile(file(200_001, ''))).toEqual({ fault: 'too_large', bytes: 200_001 });
		expect(await readBackgroundFile(new File(['x'.repeat(5_000_000)], 'a.svg'))).toMatchObject({ fault: 'not_xml' });
		expect(await readBackgroundFile(new File(['x'.repeat(5_000_001)], 'a.svg'))).toEqual({ fault: 'large_file' });
		expect(await readBackgroundFile(new File([new Uint8Array([0xff])], 'a.svg'))).toEqual({ fault: 'no_text' });
	});

	test('is read back from its address', () => {
		const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text fill="#000">100 % ñ & "</text></svg>';
		expect(decodeURIComponent(backgroundAddress(svg).replace('data:image/svg+xml,', ''))).toBe(svg);
	});
});
