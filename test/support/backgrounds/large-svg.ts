const open = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">';

/** Fills a drawing with repeats of `unit`, as large as it can be within `bytes`. */
const filled = (before: string, unit: string, after: string) => (bytes: number) => {
	const left = bytes - Buffer.byteLength(`${open}${before}${after}</svg>`);
	return `${open}${before}${unit.repeat(Math.floor(left / Buffer.byteLength(unit)))}${after}</svg>`;
};

/** Fills a drawing with different units. */
const listed = (before: string, unitOf: (index: number) => string, after: string) => (bytes: number) => {
	const units: string[] = [];
	for (let size = before.length + after.length + open.length + 6; ; ) {
		const unit = unitOf(units.length);
		size += Buffer.byteLength(unit);
		if (size > bytes) return `${open}${before}${units.join('')}${after}</svg>`;
		units.push(unit);
	}
};

const inAttribute = (name: string, unit: string) => filled(`<rect ${name}="`, unit, '"/>');
const inStyle = (unit: string) => filled('<style>', unit, '</style>');

/** Texts of a wanted size that could take a check of backgrounds long, by what they hold. Some are allowed, most are not. */
export const largeSvgs: Readonly<Record<string, (bytes: number) => string>> = {
	...Object.fromEntries(
		[
			'a',
			'(',
			'()',
			'a(',
			'rgb(',
			'url(',
			'url(#a)',
			"url('#a')",
			'url(a b',
			"'",
			"''",
			'/*',
			'/**/',
			'/',
			'\\',
			'\\41 ',
			'#a',
			'1.',
			'1 ',
		]
			.concat([
				'-',
				';',
				':',
				'a:b;',
				'[',
				'[]',
				'{',
				'{}',
				',',
				'@',
				'@a',
				'!',
				'&#13;',
				'&#10;',
				'😀',
				'é',
				'&amp;',
				'&lt;',
				'%',
				'U+',
			])
			.flatMap((unit) => [
				[`style="${unit}…"`, inAttribute('style', unit)],
				[`class="${unit}…"`, inAttribute('class', unit)],
				[`<style>${unit}…`, inStyle(unit)],
			]),
	),
	...Object.fromEntries(
		[
			'a{}',
			'.a{fill:url(#b)}',
			'a{b:',
			'a,',
			'.a.',
			'a>',
			'*',
			':a',
			'\r',
			'\r\n',
			'\n',
			' ',
			'<!---->',
			'<![CDATA[]]>',
			']]',
			'&#65;',
		].map((unit) => [`<style>${JSON.stringify(unit)}…`, inStyle(unit)]),
	),
	...Object.fromEntries(
		[
			'\r',
			'\r\n',
			'\n',
			' ',
			'<!---->',
			'<!--\r-->',
			'<g/>',
			'<g></g>',
			'<g>',
			'<g >',
			'<',
			'&',
			'&a;',
			'<?a?>',
			'<a/>',
			'<rect x="1"/>',
			'</g>',
		].map((unit) => [`${JSON.stringify(unit)}…`, filled('', unit, '')]),
	),
	'carriage returns in CDATA': filled('<text><![CDATA[', '\r', ']]></text>'),
	'carriage returns in a comment': filled('<!--', '\r', '-->'),
	'carriage returns in a text': filled('<text>', '\r', '</text>'),
	'carriage returns in an attribute': inAttribute('id', '\r'),
	'carriage returns before everything': (bytes) => `${'\r'.repeat(bytes - 100)}${open}</svg>`,
	'an open comment': filled('<!--', '-a', ''),
	'different attributes': listed('<g', (index) => ` data-a${index}=""`, '/>'),
	'different attributes that are not allowed': listed('<g', (index) => ` a${index}=""`, '/>'),
	'references in a chain': listed('', (index) => `<g id="a${index}"><use href="#a${index + 1}"/></g>`, ''),
	'dashed references to one': listed('<g stroke-dasharray="9"><path id="a" d=""/>', () => '<use href="#a"/>', '</g>'),
	'dashed shapes': listed('<g stroke-dasharray="9">', () => '<rect width="1"/>', '</g>'),
	...Object.fromEntries(
		['h1', '1', '1 ', 'z', '.', 'a1 1 1 011 1', 'M0 0z'].map((unit) => [
			`a dashed path of ${unit}…`,
			filled('<path stroke-dasharray="9" d="M0 0a', unit, '"/>'),
		]),
	),
	'a dashed rectangle of blanks': filled('<rect stroke-dasharray="9" width="px', ' px', ' "/>'),
	'a dashed rectangle of letters': filled('<rect stroke-dasharray="9" width="', 'p', '."/>'),
	'references to one': listed('<g id="a"/>', () => '<use href="#a"/>', ''),
	'many patterns in one style attribute': listed(
		'<pattern id="p"><path d=""/></pattern><g style="',
		() => 'fill:url(#p);',
		'"/>',
	),
	'many patterns around many elements': (bytes) =>
		listed(`<g style="${'fill:url(#p);'.repeat(bytes / 40)}"><pattern id="p"/>`, () => '<path/>', '</g>')(bytes),
	'many rules of one class, many elements': (bytes) =>
		listed(`<style>${'.a{fill:url(#p)}'.repeat(bytes / 40)}</style>`, () => '<g class="a"/>', '')(bytes),
	'many selectors of a rule with many references': (bytes) =>
		listed(
			`<style>${'.a,'.repeat(bytes / 9)}b{${'fill:url(#p);'.repeat(bytes / 40)}}</style>`,
			() => '<g class="a"/>',
			'',
		)(bytes),
	'many classes': listed('<style>.a{fill:url(#p)}</style><g class="', (index) => `a${index} `, '"/>'),
	'one id of many': listed('', () => '<g id="a"/>', ''),
	pixels: filled('<image href="data:image/png;base64,', 'AAAA', '"/>'),
	'segments of a JPEG': filled('<image href="data:image/jpeg;base64,/9j/', '4AAC/+AAAv/gAAL/', '"/>'),
	'blanks in pixels': filled('<image href="data:image/png;base64,', ' ', '!"/>'),
	'many small images': filled('', '<image href="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="/>', ''),
	'definitions of entities': (bytes) => `<!DOCTYPE svg [${'<!ENTITY a "b">'.repeat(bytes / 16)}]>${open}</svg>`,
	'no SVG': (bytes) => 'a'.repeat(bytes),
};
