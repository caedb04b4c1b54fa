import fc from 'fast-check';

const cssPieces = fc.constantFrom(
	...[
		'url(',
		')',
		'(',
		'#a',
		'"',
		"'",
		'/*',
		'*/',
		'\\',
		'@',
		'import',
		' ',
		';',
		':',
		'{',
		'}',
		'[',
		']',
		',',
		'.',
		'fill',
		'rgb(',
		'0',
		'1e3',
		'%',
	],
	...[
		'url(#a)',
		'url("#a")',
		'<!--',
		'-->',
		'!important',
		'a',
		'-',
		'http://leak.test/a#a',
		'&#10;',
		'&#92;',
		'&lt;',
		'image-set(',
		'calc(',
		'fill:',
		'.a',
	],
);
const css = fc.array(cssPieces, { maxLength: 12 }).map((pieces) => pieces.join(''));
const names = fc.constantFrom('fill', 'style', 'mask', 'marker-mid', 'class', 'id', 'href', 'd', 'onload', 'data-a', 'filter');
const attribute = fc
	.tuple(names, css)
	.map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;').replaceAll(/<|&(?![#\w]+;)/g, '')}"`);
const element = fc
	.tuple(
		fc.constantFrom('g', 'rect', 'use', 'pattern', 'text', 'image', 'script', 'a', 'style'),
		fc.uniqueArray(attribute, { maxLength: 3, selector: (text) => text.split('=')[0] }),
		css,
	)
	.map(([name, attributes, text]) => {
		const content = name === 'style' || name === 'text' ? text.replaceAll(/<|&(?![#\w]+;)/g, '') : '';
		return `<${name}${attributes.join('')}>${content.replaceAll(']]>', '')}</${name}>`;
	});

/** Random drawings of some elements, most with texts of CSS that are broken in some way. */
export const randomSvgs: fc.Arbitrary<string> = fc
	.array(element, { maxLength: 5 })
	.map(
		(elements) => `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${elements.join('')}</svg>`,
	);
