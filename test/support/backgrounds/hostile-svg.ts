/** A drawing that a background must not be. */
export interface HostileSvg {
	readonly reason: string;
	readonly svg: string;
}

/** The address that hostile drawings try to load. Nothing answers there. */
export const leak = 'http://leak.test/a.svg#a';

const svg = (content: string) =>
	`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90">${content}</svg>`;

/** Returns a text as the value of an attribute. */
const quoted = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;');

/** The ways to call for an address in CSS. */
const calls: readonly string[] = [
	...[
		`url(${leak})`,
		`url("${leak}")`,
		`url('${leak}')`,
		`URL(${leak})`,
		`uRl( "${leak}" )`,
		`url(\n${leak}\n)`,
		`url("${leak}"`,
		`url(${leak}`,
	],
	...[
		`u\\72l(${leak})`,
		`\\75 rl(${leak})`,
		`\\000075rl("${leak}")`,
		`url(\\68ttp://leak.test/a.svg#a)`,
		`url("\\68ttp://leak.test/a.svg#a")`,
	],
	...[
		`/**/url(${leak})`,
		`/*rgb(*/url(${leak})`,
		`/*)*/url(${leak})`,
		`/*"*/url(${leak})/*"*/`,
		`"/*"url(${leak})"*/"`,
		`'('url(${leak})')'`,
	],
	...[
		`url(#b)url(${leak})`,
		`url(#b) , url(${leak})`,
		`rgb(0,0,0)url(${leak})`,
		`#a url(${leak})`,
		`rgb(url(${leak}))`,
		`calc((1 + url(${leak})))`,
	],
	...[
		`[url(${leak})]`,
		`(url(${leak}))`,
		`{url(${leak})}`,
		`{}url(${leak})`,
		`)url(${leak})`,
		`]url(${leak})`,
		`a\\(url(${leak})`,
		`"\\"/*"url(${leak})`,
	],
	...[
		`url(/**/${leak})`,
		`url(/**/"${leak}")`,
		`url("#b" url(${leak}))`,
		`url("#b"/**/"${leak}")`,
		`url(#b"${leak}")`,
		`url("//leak.test/a.svg#a")`,
	],
	...[
		`image-set("${leak}" 1x)`,
		`-webkit-image-set(url(${leak}) 1x)`,
		`image-set(url("${leak}") 1x)`,
		`/*x*/image-set('${leak}' 1x)`,
		`image("${leak}")`,
	],
	...[
		`src("${leak}")`,
		`cross-fade(url(${leak}), url(${leak}))`,
		`-webkit-cross-fade(url(${leak}), url(${leak}), 50%)`,
		`element(#a)`,
		`paint(a)`,
	],
	...[
		`attr(data-a url)`,
		`attr(data-a type(<url>))`,
		`var(--a)`,
		`var(--a, url(${leak}))`,
		`env(a, url(${leak}))`,
		`url-prefix("${leak}")`,
	],
	...[
		`url("a.svg#a")`,
		`url(data:image/svg+xml,<svg/>#a)`,
		`url(javascript:alert(1))`,
		`url()`,
		`url("")`,
		`url(#)`,
		`url(#a b)`,
		`url(#%61)`,
		`url("#\\61 ")`,
	],
	...[`"a\nurl(${leak})`, `<!--url(${leak})-->`, `url(${leak})!important`, `-url(#b)url(${leak})`, `url(#b)/*`, `"`, `'a`, `\\`],
];

/** The places of a value of CSS. */
const places: Readonly<Record<string, (call: string) => string>> = {
	fill: (call) => svg(`<rect width="9" height="9" fill="${quoted(call)}"/>`),
	mask: (call) => svg(`<rect width="9" height="9" mask="${quoted(call)}"/>`),
	'marker-end': (call) => svg(`<path d="M0 0h9" marker-end="${quoted(call)}"/>`),
	'clip-path in a style': (call) => svg(`<rect width="9" height="9" style="clip-path:${quoted(call)}"/>`),
	'background in a style': (call) => svg(`<rect width="9" height="9" style="color:red;background:${quoted(call)}"/>`),
	'cursor of the root': (call) => svg('').replace('width', `style="cursor:${quoted(call)}" width`),
	'a style sheet': (call) => svg(`<style>rect{fill:red;mask:${quoted(call)}}</style><rect width="9" height="9"/>`),
	'a style sheet for the root': (call) => svg(`<style>svg{background:${quoted(call)}}</style>`),
};

/** Rules that begin with @, and what could hide them. */
const rules: readonly string[] = [
	...[
		`@import "${leak}";`,
		`@import url(${leak});`,
		`@IMPORT '${leak}';`,
		`@\\69mport "${leak}";`,
		`@i\\6dport "${leak}";`,
		`/**/@import "${leak}";`,
	],
	...[
		`/*'*/@import "${leak}";/*'*/`,
		`@import/**/"${leak}";`,
		`@import "${leak}"`,
		`@charset "utf-8";@import "${leak}";`,
		`@layer a;@import "${leak}";`,
	],
	...[
		`rect{fill:red}@font-face{font-family:a;src:url(${leak})}text{font-family:a}`,
		`@font-face{font-family:a;src:local(a),url(${leak})}`,
	],
	...[
		`@media all{svg{background:url(${leak})}}`,
		`@supports (fill:red){svg{background:url(${leak})}}`,
		`@layer{svg{background:url(${leak})}}`,
	],
	...[
		`@container a{}`,
		`@property --a{syntax:"<url>";inherits:true;initial-value:url(${leak})}`,
		`@namespace url(${leak});`,
		`@page{background:url(${leak})}`,
	],
	...[
		`svg{&{background:url(#b)}}`,
		`g{${'a{'.repeat(20)}`,
		`svg{@media all{background:red}}`,
		`"@import '${leak}'`,
		`}@import "${leak}";`,
		`\\@import "${leak}";`,
	],
	...[
		`@\nimport "${leak}";`,
		`@scope{svg{background:url(${leak})}}`,
		`@starting-style{svg{background:url(${leak})}}`,
		`@view-transition{navigation:auto}`,
	],
];

const addresses: readonly string[] = [
	...[
		leak,
		'HTTP://leak.test/a.svg#a',
		'//leak.test/a.svg#a',
		'\\\\leak.test\\a.svg#a',
		'a.svg#a',
		'?a#a',
		'',
		'#',
		' #a',
		'#a ',
		'#%61',
		'#a#a',
		'#a b',
	],
	...[
		'javascript:alert(1)',
		'data:image/svg+xml,%3Csvg/%3E#a',
		'data:image/svg+xml;base64,PHN2Zy8+',
		'data:text/html,a',
		'blob:null/a',
		'file:///a',
	],
	...[
		'#xpointer(id(a))',
		'#svgView(viewBox(0,0,1,1))',
		'data:image/png,abc',
		'data:image/png;base64,AAAA',
		'data:image/png;base64,PHN2Zy8+',
		'data:image/avif;base64,AAAA',
	],
];

const cycle = (attributes: string, name = 'fill') =>
	svg(
		`<pattern id="p" width="1" height="1"><rect width="1" height="1" ${name}="${attributes}"/></pattern><rect width="9" height="9" fill="url(#p)"/>`,
	);
const styledCycle = (selector: string) =>
	svg(
		`<style>${selector}{fill:url(#p)}</style><pattern id="p" width="1" height="1"><g><rect id="r" class="a b" width="1" height="1"/></g></pattern><rect class="b" width="9" height="9"/>`,
	);

/** Drawings whose references never end or draw too much, by what could hide that. */
const references: readonly HostileSvg[] = [
	...[
		...[
			'url(#p)',
			"url('#p')",
			'URL(#p)',
			'url( #p )',
			'/*(*/url(#p)',
			'/*"*/url(#p)',
			'"("url(#p)',
			'url(#q)url(#p)',
			'rgb(0,0,0)url(#p)',
			'url(#p)/*)*/',
			'calc((1))url(#p)',
		],
	].flatMap((call) => [
		{ reason: `a pattern within itself by ${call}`, svg: cycle(quoted(call)) },
		{ reason: `a pattern within itself by ${call} in a style`, svg: cycle(`color:red;fill:${quoted(call)}`, 'style') },
	]),
	...[
		...[
			'rect',
			'.a',
			'.b',
			'#r',
			'*',
			'g rect',
			'g>.a',
			'.b.a',
			'.x,.a',
			'rect:first-child',
			'[width]',
			'rect[width]',
			'g .x , rect',
			'#x,#r',
			'./**/a',
			'*|rect',
			'.a/**/',
		],
	].map((selector) => ({ reason: `a pattern within itself by the rule ${selector}`, svg: styledCycle(selector) })),
	...['fill', 'stroke', 'marker-start', 'marker'].map((property) => {
		const paint = property.startsWith('marker') ? 'marker' : 'pattern';
		const step = (index: number) =>
			`<g ${property}="url(#p${index + 1})"><${paint} id="p${index}" width="9" height="9">${'<path d="M0 0h1"/>'.repeat(10)}</${paint}></g>`;
		return {
			reason: `a million elements by ${property} that is inherited`,
			svg: svg(`${[0, 1, 2, 3, 4, 5].map(step).join('')}<path d="M0 0h9" ${property}="url(#p0)"/>`),
		};
	}),
	{
		reason: 'a marker of 100 elements at each of 2,000 corners',
		svg: svg(
			`<marker id="m">${'<path d="M0 0h9"/>'.repeat(100)}</marker><path marker-mid="url(#m)" d="M0 0${'h1'.repeat(2000)}"/>`,
		),
	},
	{
		reason: 'a marker of 100 elements at each corner of a path that is used',
		svg: svg(
			`<marker id="m">${'<path d="M0 0h9"/>'.repeat(100)}</marker><path id="p" d="M0 0${'h1'.repeat(2000)}"/><use href="#p" style="marker-mid:url(#m)"/>`,
		),
	},
	{
		reason: 'a long path that is shown often',
		svg: svg(`<path id="p" d="M0 0${'h1'.repeat(20_000)}"/>${'<use href="#p"/>'.repeat(1000)}`),
	},
	{
		reason: 'a long text that is shown often',
		svg: svg(`<text id="p">${'ab '.repeat(20_000)}</text>${'<use href="#p"/>'.repeat(1000)}`),
	},
	{ reason: 'more rules than can be tried', svg: svg(`<style>${'a{}'.repeat(5000)}</style>${'<g/>'.repeat(5000)}`) },
	{
		reason: 'more selectors than can be tried, in one rule',
		svg: svg(`<style>${'q,'.repeat(20_000)}g{}</style>${'<g/>'.repeat(500)}`),
	},
	{ reason: 'a longer selector than can be tried', svg: svg(`<style>${'g>'.repeat(20_000)}g{}</style>${'<g/>'.repeat(500)}`) },
	{
		reason: 'a gradient of 400 stops that 400 elements inherit',
		svg: svg(`<linearGradient id="a">${'<stop/>'.repeat(400)}</linearGradient><g fill="url(#a)">${'<path/>'.repeat(400)}</g>`),
	},
];

/** Drawings that are refused, by how they hide what they do and where. */
export const hostileSvgs: readonly HostileSvg[] = [
	...calls.flatMap((call) => Object.entries(places).map(([place, of]) => ({ reason: `${call} as ${place}`, svg: of(call) }))),
	...rules.flatMap((rule) => [
		{ reason: `${rule} as a style sheet`, svg: svg(`<style>${quoted(rule)}</style><rect width="9" height="9"/>`) },
		{ reason: `${rule} in CDATA`, svg: svg(`<style><![CDATA[${rule}]]></style>`) },
		{
			reason: `${rule} around a comment of XML`,
			svg: svg(`<style>${quoted(rule.slice(0, 3))}<!-- -->${quoted(rule.slice(3))}</style>`),
		},
		{ reason: `${rule} in two sections`, svg: svg(`<style>${quoted(rule.slice(0, 3))}<![CDATA[${rule.slice(3)}]]></style>`) },
	]),
	...addresses.flatMap((address) =>
		['use', 'image', 'pattern', 'linearGradient', 'textPath'].flatMap((element) =>
			['href', 'xlink:href'].map((name) => ({
				reason: `${name}="${address}" of ${element}`,
				svg: svg(`<${element} ${name}="${quoted(address)}" width="9" height="9"/>`),
			})),
		),
	),
	...references,
];
