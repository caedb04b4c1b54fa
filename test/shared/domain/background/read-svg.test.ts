import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pixelsOf } from '#domain/background/bitmap.ts';
import { readCss } from '#domain/background/css.ts';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { cleanSvg } from '#page/screens/diagram/clean-svg.ts';
import { hostileSvgs } from '#test/support/backgrounds/hostile-svg.ts';
import { largeSvgs } from '#test/support/backgrounds/large-svg.ts';
import { randomSvgs } from '#test/support/backgrounds/random-svg.ts';

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
const cleaned = (text: string): string => {
	const clean = cleanSvg(text);
	if (clean.fault !== null) throw new RangeError(`Nothing is left: ${clean.fault}.`);
	return clean.svg;
};

describe('a hostile drawing', () => {
	test('is refused, and its place is told, in each of 900 forms and more', () => {
		expect(hostileSvgs.length).toBeGreaterThan(900);
		const accepted = hostileSvgs.filter(({ svg: text }) => svgProblem(text)?.code !== 'not_allowed_in_svg');
		expect(accepted).toEqual([]);
	});

	test('is cleaned to one that the service accepts, or not at all', () => {
		const left = hostileSvgs.flatMap(({ svg: text }) => {
			const clean = cleanSvg(text);
			return clean.fault === null ? [clean.svg] : [];
		});
		expect(left.length).toBeGreaterThan(800);
		expect(left.filter((text) => svgProblem(text) !== null || /leak|@/.test(text))).toEqual([]);
	});
});

describe('any drawing', () => {
	test('that is cleaned is accepted, and cleaning it again changes nothing', () => {
		let accepted = 0;
		fc.assert(
			fc.property(randomSvgs, (text) => {
				const clean = cleanSvg(text);
				if (clean.fault !== null) return;
				accepted += 1;
				expect(svgProblem(clean.svg)).toBeNull();
				// A line end in an attribute is a blank when it is read again (https://www.w3.org/TR/xml/#AVNormalize).
				expect(cleaned(clean.svg).replaceAll('\n', ' ')).toBe(clean.svg.replaceAll('\n', ' '));
			}),
			{ numRuns: 500 },
		);
		expect(accepted).toBeGreaterThan(50);
	});

	test('of 200 KB is checked whatever it holds', () => {
		for (const [shape, of] of Object.entries(largeSvgs)) {
			const text = of(200_000);
			expect(Buffer.byteLength(text), shape).toBeLessThanOrEqual(200_000);
			expect(Buffer.byteLength(text), shape).toBeGreaterThan(150_000);
			expect(svgProblem(text)?.message ?? 'is allowed', shape).toMatch(/\.$|^is allowed$/);
		}
	}, 60_000);
});

test('a problem names its line and column, with each kind of line end', () => {
	for (const end of ['\n', '\r\n', '\r']) {
		const problem = svgProblem(svg(`${end}<g/>${end} <rect fill="url(//a)"/>`));
		expect(problem?.params).toEqual({ found: 'url(//a) in fill', line: 3, column: 2 });
	}
});

test('a text of CSS has references, and rules with the last parts of their selectors', () => {
	expect(readCss('.a, g > #b:hover, c.d e { FILL: url(#x); marker-mid: url( "#y" ) } /* {} */ * { a: b }')).toEqual({
		found: null,
		largest: 0,
		references: [],
		rules: [
			{
				parts: ['.a', '*', 'e'],
				size: 7,
				references: [
					{ id: 'x', property: 'fill' },
					{ id: 'y', property: 'marker-mid' },
				],
			},
			{ parts: ['*'], size: 1, references: [] },
		],
	});
	expect(readCss('url(#a)', 'mask').references).toEqual([{ id: 'a', property: 'mask' }]);
	expect(readCss('a{}'.repeat(10_000)).found).toBeNull();
	expect(readCss('a{}'.repeat(10_001)).found).toBe('more than 10000 rules');
	expect(readCss(`fill:url(#a);stroke:${'rgb('.repeat(100)}`).found).toBeNull();
	expect(readCss(`fill:url(#a);stroke:${'rgb('.repeat(101)}`).found).toBe('rgb(');
});

test('data of paths is nothing that CSS refuses, so it need not be read as CSS', () => {
	const letters = [...'mlhvcsqtazeMLHVCSQTAZE0123456789.,+- \t\n'];
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...letters)), fc.constantFrom('d', 'style', 'mask', 'fill', 'width'), (chosen, name) => {
			const read = readCss(chosen.join(''), name === 'style' ? undefined : name);
			expect(read).toEqual({ found: null, references: [], rules: [], largest: expect.any(Number) });
			expect(svgProblem(svg(`<rect ${name}="${chosen.join('')}"/>`))).toBeNull();
		}),
	);
	// Their numbers count all the same.
	expect(svgProblem(svg('<path stroke-dasharray="1" d="h9e9"/>'))?.message).toContain('dashes and references');
	expect(svgProblem(svg('<g stroke-dasharray="1"><text font-size="9999999">a</text></g>'))?.message).toContain(
		'dashes and references',
	);
});

describe('the pixels of an image', () => {
	const hrefOf = (bytes: Buffer, type = 'png') => `data:image/${type};base64,${bytes.toString('base64')}`;
	const u16 = (value: number) => Buffer.from([Math.floor(value / 256), value % 256]);
	const u16le = (value: number) => Buffer.from([value % 256, Math.floor(value / 256)]);
	const u32 = (value: number) => Buffer.concat([u16(Math.floor(value / 65_536)), u16(value % 65_536)]);
	const latin = (text: string) => Buffer.from(text, 'latin1');
	const png = (width: number, height: number) =>
		Buffer.concat([latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), u32(width), u32(height), latin('\x08\x02\0\0\0')]);
	const jpeg = (width: number, height: number, before = latin('\xff\xe0\0\x04ab\xff\xdb\0\x03a')) =>
		Buffer.concat([latin('\xff\xd8'), before, latin('\xff\xc2\0\x11\x08'), u16(height), u16(width), latin('\x03')]);
	const gif = (width: number, height: number, [frameWidth, frameHeight] = [1, 1]) =>
		Buffer.concat([
			...[latin('GIF89a'), u16le(width), u16le(height), latin('\x80\0\0abcdef\x21\xf9\x04\0\0\0\0\0')],
			...[latin('\x2c\0\0\0\0'), u16le(frameWidth), u16le(frameHeight), latin('\0')],
		]);
	const webp = (chunk: string) => latin(`RIFF\0\0\0\0WEBP${chunk}`);
	const lossless = (width: number, height: number) => {
		const bits = Buffer.alloc(4);
		bits.writeUInt32LE(width - 1 + (height - 1) * 2 ** 14);
		return Buffer.concat([webp('VP8L\0\0\0\0/'), bits]);
	};

	test('are read from the header of each format, whatever the address calls it', () => {
		expect(pixelsOf(hrefOf(png(4000, 4001)))).toBe(16_004_000);
		expect(pixelsOf(hrefOf(jpeg(640, 480), 'jpeg'))).toBe(307_200);
		expect(pixelsOf(hrefOf(gif(300, 200), 'gif'))).toBe(60_000);
		expect(pixelsOf(hrefOf(gif(300, 200, [500, 100]), 'gif'))).toBe(100_000);
		expect(pixelsOf(hrefOf(lossless(16_384, 3), 'webp'))).toBe(49_152);
		expect(pixelsOf(hrefOf(webp('VP8X\0\0\0\0\0\0\0\0\xff\x01\0\x63\0\0'), 'webp'))).toBe(51_200);
		expect(pixelsOf(hrefOf(Buffer.concat([webp('VP8 \0\0\0\0\0\0\0\x9d\x01*'), u16le(640), u16le(480 + 2 ** 15)]), 'webp'))).toBe(
			307_200,
		);
		expect(pixelsOf(hrefOf(jpeg(9, 9), 'png'))).toBe(81);
	});

	test('are not known where a decoder could read another header, and the image is refused', () => {
		const unknown: readonly Buffer[] = [
			...[Buffer.alloc(0), latin('BM'), png(1, 1).subarray(0, 20), png(0, 9), jpeg(1, 1).subarray(0, 12), jpeg(9, 0)],
			...['\xff\0\0\x04ab', 'a', '\xff\xff\xe0\0\x04ab', '\xff\xd8', '\xff\xda\0\x02', '\xff\xe0\0\0', '\xff\xe0\xff\xff'].map(
				(before) => jpeg(1, 1, latin(before)),
			),
			...[
				latin('GIF89a\x01\0\x01\0\0\0\0;'),
				latin('GIF88a\x01\0\x01\0\0\0\0\x2c'),
				webp('ICCP'),
				webp('VP8 \0\0\0\0\0\0\0\x9d\x01\x2b\x01\0\x01\0'),
			],
		];
		for (const bytes of unknown) expect(pixelsOf(hrefOf(bytes)), bytes.toString('latin1')).toBeNull();
		for (const href of ['data:image/png,a', 'data:image/png;base64,A', 'data:image/bmp;base64,Qk0=', 'a.png'])
			expect(pixelsOf(href)).toBeNull();
	});

	test('are not known of an animation, whose pictures can be many, and the image is refused', () => {
		const picture = '\x2c\0\0\0\0\x09\0\x09\0\x80abcdef\x02\x02\x4c\x01\0';
		const pause = '\x21\xf9\x04\0\0\0\0\0';
		const pictures = (...parts: readonly string[]) => hrefOf(latin(`GIF89a\x09\0\x09\0\0\0\0${parts.join('')}`), 'gif');
		expect(pixelsOf(pictures(pause, picture, ';'))).toBe(81);
		expect(pixelsOf(pictures(picture, pause, ';', picture))).toBe(81);
		expect(pixelsOf(pictures(picture, picture, ';'))).toBeNull();
		expect(pixelsOf(pictures(pause, picture, pause, pause, picture, ';'))).toBeNull();
		const crc = latin('crc!');
		const chunk = (type: string, data = '') => Buffer.concat([u32(data.length), latin(`${type}${data}`), crc]);
		const chunks = (...parts: readonly Buffer[]) => hrefOf(Buffer.concat([png(9, 9), crc, ...parts]));
		expect(pixelsOf(chunks(chunk('pHYs', 'acTLacTLa'), chunk('IDAT', 'abc'), chunk('acTL')))).toBe(81);
		expect(pixelsOf(chunks(chunk('pHYs', '123456789'), chunk('acTL', '12345678'), chunk('IDAT', 'abc')))).toBeNull();
		const extended = (flags: string) => hrefOf(webp(`VP8X\0\0\0\0${flags}\0\0\0\x08\0\0\x08\0\0`), 'webp');
		expect(pixelsOf(extended('\x3d'))).toBe(81);
		expect(pixelsOf(extended('\x02'))).toBeNull();
		expect(pixelsOf(extended('\x3f'))).toBeNull();
	});

	test('are 16 million at most, of all images together', () => {
		const images = (...sizes: readonly (readonly [number, number])[]) =>
			svg(sizes.map(([width, height]) => `<image href="${hrefOf(png(width, height))}"/>`).join(''));
		expect(svgProblem(images([4000, 4000]))).toBeNull();
		expect(svgProblem(images([4000, 2000], [2000, 4000]))).toBeNull();
		const found = 'images of more than 16,000,000 pixels';
		expect(svgProblem(images([16_000_001, 1]))?.params['found']).toBe(found);
		expect(svgProblem(images([4000, 4000], [1, 1]))?.params['found']).toBe(found);
		expect(cleanSvg(images([4000, 4001]))).toEqual({ fault: 'endless' });
	});
});

test('elements drawn by references are 100,000 at most, with those that are inherited', () => {
	const of = (each: number, uses: number, more = 0) =>
		svg(`<g id="a">${'<g/>'.repeat(each - 1)}</g>${'<use href="#a"/>'.repeat(uses)}${'<g/>'.repeat(more)}`);
	// The root, the element itself, and each use with what it shows: 1 + 100 + 989 * 101 = 99,990.
	expect(svgProblem(of(100, 989, 10))).toBeNull();
	expect(svgProblem(of(100, 989, 11))?.params['found']).toBe('references to more than 100,000 elements');
});

test('dashes are half a million at most, along the outline of an element', () => {
	const of = (d: string, dashes = '1') => svg(`<path stroke-dasharray="${dashes}" d="${d}"/>`);
	const found = 'dashes and references to more than 100,000 elements';
	for (const [accepted, refused] of [
		['M9e9 9e9h499900', 'M9e9 9e9h500100'],
		['M0 0H166600V166600H99', 'M0 0H166600V166600z'],
		['m0 0 3e5 0', 'm0 0 3e5 0 3e5 0'],
		['M0 0A1 1 0 01142000 0', 'M0 0A1 1 0 01143000 0'],
		['M0 0C0 166600 166600 166600 166600 0', 'M0 0C0 166700 166700 166700 166700 0'],
	] as const) {
		expect(svgProblem(of(accepted)), accepted).toBeNull();
		expect(svgProblem(of(refused))?.params['found'], refused).toBe(found);
	}
	expect(svgProblem(of('M0 0h4e5', '.5 .5'))).toBeNull();
	expect(svgProblem(of('M0 0h4e5', '.3 .3'))?.params['found']).toBe(found);
	expect(svgProblem(of('M0 0h9e9', 'none'))).toBeNull();
	expect(svgProblem(of('M0 0h9e9', '0 0'))).toBeNull();
});

test('the parts of selectors are tried for 10 million pairs at most', () => {
	const of = (parts: string) => svg(`<style>${parts}{}</style>${'<g/>'.repeat(998)}`);
	expect(svgProblem(of(`${'q,'.repeat(9999)}g`))).toBeNull();
	for (const parts of [`${'q,'.repeat(10_000)}g`, `${'q>'.repeat(10_000)}g`, `${'.q'.repeat(10_000)}[q]`])
		expect(svgProblem(of(parts))?.params['found']).toBe('styles of 10,001 selectors for 1,000 elements');
});

test('the stops of a gradient are drawn for each element that inherits it', () => {
	const of = (elements: number, paint = 'a') =>
		svg(
			`<linearGradient id="a">${'<stop/>'.repeat(99)}</linearGradient><linearGradient id="b" href="#a"/><g fill="url(#${paint})">${'<g/>'.repeat(elements)}</g>`,
		);
	// The root, both gradients, the stops that the second takes, and each element with the gradient: 1 + 100 + 101 + 991 * 101 = 100,293.
	expect(svgProblem(of(980))).toBeNull();
	expect(svgProblem(of(990))?.params['found']).toBe('references to more than 100,000 elements');
	expect(svgProblem(of(990, 'b'))?.params['found']).toBe('references to more than 100,000 elements');
});

test('drawings of programs keep what they draw', () => {
	const illustrator = cleaned(
		`<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>
		<svg xmlns="&ns_svg;" xmlns:xlink="http://www.w3.org/1999/xlink"><style type="text/css">.st0{clip-path:url(#c);fill:#B7D3E8;}.st1{fill:url(#g);}</style>
		<linearGradient id="g"><stop offset="0"/></linearGradient><defs><path id="p" d="M0,0h9"/></defs><clipPath id="c"><use xlink:href="#p"/></clipPath>
		<rect class="st0" width="9"/><g id="Pump (1)"><title>Tank's</title></g></svg>`,
	);
	for (const part of ['clip-path:url(#c)', 'xlink:href="#p"', 'class="st0"', 'id="Pump (1)"', 'Tank&#39;s'])
		expect(illustrator).toContain(part);
	const visio = cleaned(
		svg(
			'<style><![CDATA[.st3 {marker-end:url(#m)} ]]></style><marker id="m" class="st4"><path d="M0 0"/></marker><path class="st3" v:x="1" d="M0 0h9"/>',
		),
	);
	for (const part of ['.st3 {marker-end:url(#m)}', '<marker id="m" class="st4">', '<path class="st3" d="M0 0h9"/>'])
		expect(visio).toContain(part);
});
