import fc from 'fast-check';
import { expect, test } from 'vitest';
import { svgElement, svgText } from '#page/screens/diagram/export/svg-text.ts';

test('an element has its attributes, without those that have no value, and its content', () => {
	expect(svgElement('rect', { x: 1.23456, width: '10', rx: null, ry: undefined })).toBe('<rect x="1.235" width="10"/>');
	expect(svgElement('text', { x: 0 }, [svgText('a < b')])).toBe('<text x="0">a &lt; b</text>');
});

test('names that look like markup stay text', () => {
	expect(svgText('<script>alert("1")</script> & \'x\'')).toBe(
		'&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;',
	);
	expect(svgElement('g', { title: '"><script>' })).toBe('<g title="&quot;&gt;&lt;script&gt;"/>');
});

test('characters that XML does not have are left out, and no other', () => {
	expect(svgText('a\u0000b\u0008c\uffffd\ud800e\tñ\n😀')).toBe('abcde\tñ\n😀');
});

test('whatever a text holds, it opens no element, ends no attribute and begins no entity of its own', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), (text) => {
			expect(svgText(text)).toMatch(/^([^<>"'&]|&(amp|lt|gt|quot|#39);)*$/);
		}),
	);
});
