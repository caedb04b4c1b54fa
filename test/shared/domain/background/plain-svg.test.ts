import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LostKind } from '#domain/background/plain-css.ts';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { cleanSvg, shownSvg } from '#page/screens/diagram/clean-svg.ts';
import { textOfXml } from '#page/screens/diagram/text-of-xml.ts';
import { largeSvgs } from '#test/support/backgrounds/large-svg.ts';

const svg = (content: string) =>
	`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</svg>`;
const cleaned = (file: string) => {
	const clean = cleanSvg(file);
	if (clean.fault !== null) throw new RangeError(`Nothing is left: ${clean.fault}.`);
	expect(svgProblem(clean.svg)).toBeNull();
	return { text: clean.svg, lost: Object.fromEntries(clean.lost) };
};
/** What is within the root of a cleaned drawing, and what it has lost. */
const inside = (content: string) => {
	const { text, lost } = cleaned(svg(content));
	return { text: text.replace(/^<svg[^>]*?(?:\/>$|>)/, '').replace(/<\/svg>$/, ''), lost };
};

/** A GIF of one pixel. */
const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=';

describe('elements', () => {
	test('of a prefix are those of SVG, and those of other namespaces are nothing', () => {
		const { text, lost } = cleaned(
			`<s:svg xmlns:s="http://www.w3.org/2000/svg" xmlns:ns1="http://www.w3.org/1999/xlink" xmlns="urn:program"><g/><s:g id="a" m="1"><m><s:rect/></m></s:g><s:use ns1:href="#a"/><g xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></g></s:svg>`,
		);
		expect(text).toBe(svg('<g id="a"/><use xlink:href="#a"/><g><path d="M0 0"/></g>'));
		expect(lost).toEqual({});
	});

	test('within a link stay, in a text, too', () => {
		expect(inside('<a xlink:href="http://b" transform="scale(2)"><rect/></a><text>a<a href="#b">b</a></text>')).toEqual({
			text: '<g transform="scale(2)"><rect/></g><text>a<tspan>b</tspan></text>',
			lost: { links: 2 },
		});
	});

	const html = (words: string) =>
		`<foreignObject><div xmlns="http://www.w3.org/1999/xhtml"><b>${words}</b></div></foreignObject>`;
	test.each<readonly [reason: string, content: string, text: string, lost: object]>([
		['the text behind a label in HTML', `${html('Tank \n T1')}<text>Tank T1</text>`, '<text>Tank T1</text>', {}],
		['a text that says less than the label', `${html('Tank T1')}<text>Tank…</text>`, '<text>Tank…</text>', { labels: 1 }],
		['a picture of the label', `${html('T1')}<g/>`, '<g/>', { labels: 1 }],
		['nothing but a label', html('T1'), '', { labels: 1 }],
		['nothing but a label without words', '<foreignObject/>', '', { labels: 1 }],
		['an image of the label', `${html('T1')}<image href="${pixel}"/>`, `<image href="${pixel}"/>`, {}],
		['what stands behind a part for its program', '<foreignObject requiredExtensions="urn:x">a</foreignObject><g/>', '<g/>', {}],
		['the first for every language', '<g id="de" systemLanguage="de"/><g id="all"/>', '<g id="all"/>', {}],
		['a language where there is no other', '<g id="de" systemLanguage="de"/>', '<g id="de"/>', {}],
		['what needs no extension', '<g id="x" requiredExtensions="urn:x"/><g id="y" requiredExtensions=""/>', '<g id="y"/>', {}],
		['a link', '<a><rect/></a>', '<g><rect/></g>', { links: 1 }],
	])('of a switch are %s', (_, content, text, lost) => {
		expect(inside(`<switch>${content}</switch>`)).toEqual({ text: text === '' ? '<g/>' : `<g>${text}</g>`, lost });
	});

	test.each<readonly [LostKind, number, string]>([
		['labels', 2, `${html('a')}<g>${html('b')}</g>`],
		['fonts', 2, '<font><font-face/></font><style>@font-face{font-family:a;src:url(a)}</style>'],
		['images', 3, '<image href="a.png"/><image xlink:href="data:image/svg+xml,a"/><image href="data:image/png;base64,AAAA"/>'],
		['links', 1, '<a/>'],
		['effects', 3, '<filter id="f"/><g filter="url(#f)"/><g style="fill:red;filter:url(#f)"/>'],
		['animations', 3, '<animate/><g><set/><animateMotion><mpath/></animateMotion></g>'],
		['scripts', 3, '<script>a</script><g onclick="a" onload="b"/>'],
		['styles', 4, '<style>@import "a";b+c{}d{all:unset}</style><rect fill="url(http://a)"/>'],
		['others', 3, '<flowRoot><flowPara>a</flowPara></flowRoot><use href="a.svg#b"/><hatch/>'],
	])('that a drawing loses are counted as %s: %i', (kind, count, content) => {
		expect(inside(`<rect/>${content}`).lost).toEqual({ [kind]: count });
	});

	test('that draw nothing are no loss', () => {
		expect(
			inside('<metadata><a>b</a></metadata><view/><!--a<b--><?a b?><rect xmlns:i="urn:i" i:a="b" unknown="" content="a"/>'),
		).toEqual({ text: '<rect/>', lost: {} });
	});

	test('nested too deep are left out and counted', () => {
		const nested = (depth: number) => svg(`<script/>${'<g>'.repeat(depth)}${'</g>'.repeat(depth)}`);
		expect(cleaned(nested(100)).lost).toEqual({ scripts: 1 });
		expect(cleaned(nested(101)).lost).toEqual({ scripts: 1, others: 1 });
	});
});

describe('styles', () => {
	const sheet = (css: string) => {
		const { text, lost } = inside(`<style><![CDATA[${css}]]></style>`);
		return [text.replace(/^<style>|<\/style>$|<style\/>/g, ''), lost];
	};
	test('lose a rule or a declaration that is not allowed, and keep the others', () => {
		expect(sheet('@import url(a);/*<*/.a{fill:red}.b+.c{fill:red}.d{fill:red;all:unset;stroke:blue}')).toEqual([
			'.a{fill:red}.d{fill:red;stroke:blue}',
			{ styles: 3 },
		]);
		expect(sheet('@charset "a";@media print{.a{fill:red}}@namespace a url(b);.c{d:e}')).toEqual(['.c{d:e}', { styles: 1 }]);
		expect(sheet('<!-- .a{fill:hwb(0 0 0)}.b{c:"}";d:e;}f{g:url(http://h)')).toEqual([
			'.a{}.b{c:&quot;}&quot;;d:e;}f{}',
			{ styles: 2 },
		]);
		expect(inside('<rect style="fill:red;mask:inherit; stroke : rgb(0,0,0)"/>')).toEqual({
			text: '<rect style="fill:red;stroke : rgb(0,0,0)"/>',
			lost: { styles: 1 },
		});
	});

	test('keep the rules before one whose brackets do not end where it ends', () => {
		expect(sheet('@import "a";.a{fill:red}.b{fill:rgb(1,2')).toEqual(['.a{fill:red}', { styles: 2 }]);
		expect(sheet('.a{fill:red}.b{fill:blue')).toEqual(['.a{fill:red}.b{fill:blue', {}]);
	});

	test('of another medium or language are lost as a whole', () => {
		expect(
			inside('<style media="print">a{}</style><style type="text/less">a{}</style><style media="all" type="text/css">b{}</style>'),
		).toEqual({
			text: '<style>b{}</style>',
			lost: { styles: 2 },
		});
	});

	test('get the values of variables: of the nearest element, of rules, or the one beside', () => {
		expect(
			inside('<g style="--a:red;--b:var(--a)"><g style="--a:blue"><rect fill="var(--b)" stroke="var( --a )"/></g></g>').text,
		).toBe('<g><g><rect fill="red" stroke="blue"/></g></g>');
		expect(sheet(':root{--a:red}.b{fill:VAR(--a);stroke:var(--c,rgb(0,0,var(--d, 1)))}')).toEqual([
			':root{}.b{fill:red;stroke:rgb(0,0,1)}',
			{},
		]);
		expect(
			inside('<style>.a{--a:red}.b{--a:blue}.c{--c:red}.d{--c:red}</style><rect fill="var(--a)" stroke="var(--c)"/>'),
		).toEqual({
			text: '<style>.a{}.b{}.c{}.d{}</style><rect stroke="red"/>',
			lost: { styles: 1 },
		});
	});

	test('lose a declaration with a variable without a value, with an endless or a very long one', () => {
		expect(inside('<g style="--a:var(--b);--b:var(--a);fill:var(--a);stroke:var(--c)"/>').lost).toEqual({ styles: 2 });
		const doubled = Array.from({ length: 40 }, (_, index) => `--a${index + 1}:var(--a${index}) var(--a${index})`);
		expect(inside(`<g style="--a0:1px;${doubled.join(';')};stroke-dashoffset:var(--a40);width:var(--a2)"/>`)).toEqual({
			text: '<g style="width:1px 1px 1px 1px"/>',
			lost: { styles: 1 },
		});
	});

	test('have the first colour of two, because the sheet is light', () => {
		expect(inside('<rect fill="light-dark(rgb(1, 2, 3), #fff)" style="stroke: light-dark(#000, #fff)"/>')).toEqual({
			text: '<rect fill="rgb(1, 2, 3)" style="stroke: #000"/>',
			lost: {},
		});
	});
});

describe('the text of a file', () => {
	const words = 'Depósito n° 2 – ñ';
	const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>${words}</a>`;
	const utf16 = (text: string) => Buffer.from(text, 'utf16le');
	test.each<readonly [string, Uint8Array]>([
		['UTF-8', Buffer.from(`<a>${words}</a>`)],
		['UTF-8 with a mark', Buffer.from(`\ufeff${xml('UTF-8')}`)],
		['Latin-1, as Windows writes it', Buffer.from(xml('ISO-8859-1').replace('–', '\x96'), 'latin1')],
		['Windows-1252', Buffer.from(xml('windows-1252').replaceAll('"', "'").replace('–', '\x96'), 'latin1')],
		['UTF-16 with a mark', utf16(`\ufeff${xml('UTF-16')}`)],
		['UTF-16 without a mark', utf16(xml('UTF-16'))],
		['big-endian UTF-16 with a mark', utf16(`\ufeff${xml('UTF-16')}`).swap16()],
		['big-endian UTF-16 without a mark', utf16(xml('UTF-16')).swap16()],
		['UTF-8 that says UTF-16', Buffer.from(xml('UTF-16'))],
	])('is read in %s', (_, bytes) => {
		expect(textOfXml(new Uint8Array(bytes))).toMatch(new RegExp(`<a>${words}</a>$`));
	});

	test.each<readonly [string, Uint8Array]>([
		['Latin-1 that is not declared', Buffer.from(`<a>${words}</a>`, 'latin1')],
		['Latin-1 that says UTF-8', Buffer.from(xml('UTF-8'), 'latin1')],
		['an unknown encoding', Buffer.from(xml('IBM-850'), 'latin1')],
		['half of a character', utf16(`\ufeff${xml('UTF-16')}`).subarray(0, -1)],
	])('is none in %s', (_, bytes) => {
		expect(textOfXml(new Uint8Array(bytes))).toBeNull();
	});

	test('is one or none, whatever the bytes are', () => {
		fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => /^(?:string|object)$/.test(typeof textOfXml(bytes))));
	});
});

test('a stored background is shown as it is, and cleaned only if it would be refused now', () => {
	const accepted = svg('<!-- a -->\n<style>.a{--b:red}</style><g style="filter:url(#a)"/>');
	expect(shownSvg(accepted)).toEqual({ fault: null, svg: accepted, lost: new Map() });
	expect(shownSvg(svg('<a><g/></a>'))).toMatchObject({ fault: null, svg: svg('<g><g/></g>') });
	expect(shownSvg(svg('<g id="a"><use href="#a"/></g>'))).toEqual({ fault: 'endless' });
});

test('a file that grows by its variables, or has nested media, takes no longer than it is long', () => {
	const uses = `<g style="--a:${'1'.repeat(200)}">${'<a style="x:var(--a)"/>'.repeat(8000)}</g>`;
	expect(cleanSvg(svg(uses))).toEqual({ fault: 'too_large', bytes: expect.any(Number) });
	const nested = `<style>${'@media all{'.repeat(9000)}${'}'.repeat(9000)}</style>`;
	expect(cleaned(svg(nested)).lost).toEqual({ styles: 1 });
});

test('any large drawing is cleaned, and what is left is accepted', () => {
	for (const [shape, of] of Object.entries(largeSvgs)) {
		const clean = cleanSvg(of(20_000).replace('<svg ', '<svg onload="" '));
		if (clean.fault === null) expect(svgProblem(clean.svg), shape).toBeNull();
	}
}, 30_000);

const folder = fileURLToPath(new URL('../../../../../shared/field/svg/', import.meta.url));
const hasField = existsSync(folder);
if (!hasField) console.warn('The drawings of ../shared/field/svg are not there: their tests are skipped.');

describe.skipIf(!hasField)('the drawings of ../shared/field/svg', () => {
	/** What each of them has that was left out once, and what it loses. */
	const kept: Readonly<Record<string, readonly [parts: readonly string[], lost: object]>> = {
		'black-on-transparent.svg': [['T-101 raw water tank'], {}],
		'cssvars.svg': [['style="fill:#1f4e79;stroke:#000"', 'var and clamp'], { styles: 1 }],
		'drawio-lightdark.svg': [['style="fill: rgb(218, 232, 252)', 'fill="#000000"', 'stroke: rgb(0, 0, 0)'], {}],
		'drawio.svg': [['>Raw tank T-101<', '>Filter F-201<', '>Clear well<'], {}],
		'illustrator-clip.svg': [['clip-path:url(#SVGID_2_)', '>Depósito<'], {}],
		'latin1.svg': [['>Depósito nº 2 - Señal<'], {}],
		'libreoffice.svg': [['>Depósito de agua<', 'fill="rgb(114,159,207)"'], { fonts: 1 }],
		'links.svg': [['<rect x="200" y="100"', '>Pump 1<'], { links: 1 }],
		'prefixed.svg': [['<rect x="50" y="80"', '>Tank<'], {}],
		'style-atrule.svg': [['.tank{fill:#B7D3E8', '.pipe{fill:none', '.t{font:20px Roboto}'], { styles: 2 }],
		'style-marker.svg': [['marker-end:url(#a)', '<marker id="a"'], {}],
		'visio-arrows.svg': [
			['.st3 {marker-end:url(#mrkr4-12)', '<use xlink:href="#lend4"', 'Raw tank</text>', 'Filter 1</text>'],
			{},
		],
	};

	test('have a case each', () => {
		expect(readdirSync(folder).toSorted()).toEqual(Object.keys(kept));
	});

	test.each(Object.entries(kept))('%s keeps what it draws', (name, [parts, lost]) => {
		const clean = cleaned(textOfXml(readFileSync(`${folder}${name}`)) ?? '');
		for (const part of parts) expect(clean.text).toContain(part);
		expect(clean.lost).toEqual(lost);
	});
});
