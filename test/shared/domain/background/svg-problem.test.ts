import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { svgProblem } from '#domain/background/svg-problem.ts';
import { parse } from '#domain/validation/parse.ts';
import { sentDiagramSchema } from '#http/sent-diagram.ts';
import { issuesOf } from '#test/support/validation-issues.ts';
import { readVectors } from '#test/support/vectors.ts';

/** An SVG, and the code of its problem with what is found in it; null: it is accepted. */
interface BackgroundVector {
	readonly reason: string;
	readonly svg: string;
	readonly code: string | null;
	readonly found?: string;
}

const vectors = readVectors<BackgroundVector>('backgrounds');
const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`;

describe('a background', () => {
	test.each(vectors)('$reason: $code $found', ({ svg: text, code, found }) => {
		const problem = svgProblem(text);
		expect(problem?.code ?? null, problem?.message).toBe(code);
		if (found !== undefined) expect(problem?.params['found']).toBe(found);
	});

	test('has vectors of at least 30 forms that are refused', () => {
		expect(vectors.filter(({ code }) => code !== null).length).toBeGreaterThanOrEqual(30);
		expect(vectors.filter(({ code }) => code === null).length).toBeGreaterThanOrEqual(10);
	});

	test('is one issue among those of other fields', () => {
		const body = { id: 0, title: '', items: [], ratio: 9, background: svg('<script/>') };
		expect(Object.keys(issuesOf(() => parse(sentDiagramSchema, body))).toSorted()).toEqual(['background', 'ratio', 'title']);
		const tooLarge = { id: 0, title: 'D', items: [], background: '<'.repeat(200_001) };
		expect(issuesOf(() => parse(sentDiagramSchema, tooLarge))).toEqual({ background: 'At most 200000 bytes.' });
	});

	test('of the most bytes is checked, however it is nested', () => {
		const most = 200_000;
		const hostile: readonly (readonly [string, string | null])[] = [
			['<g>'.repeat(most / 3), 'not_allowed_in_svg'],
			[svg('<g>'.repeat(28_000) + '</g>'.repeat(28_000)), 'not_allowed_in_svg'],
			[svg(Array.from({ length: 5000 }, (_, i) => `<g id="a${i}"><use href="#a${i + 1}"/></g>`).join('')), 'not_allowed_in_svg'],
			[svg('<path d="M0 0"/>'.repeat(12_000)), null],
			[svg(`<rect style="${'url('.repeat(40_000)}"/>`), 'not_allowed_in_svg'],
			[svg(`<text>${'&amp;'.repeat(39_000)}</text>`), null],
			[`<svg ${'a '.repeat(99_000)}`, 'not_xml'],
			[svg(`<!--${'-'.repeat(190_000)}`), 'not_xml'],
		];
		for (const [text, code] of hostile) {
			expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(most);
			expect(svgProblem(text)?.code ?? null, text.slice(0, 80)).toBe(code);
		}
	});

	test('of any text has a problem or none, and never another error', () => {
		const piece = fc.constantFrom(
			'<',
			'>',
			'</',
			'/>',
			'svg',
			' xmlns="http://www.w3.org/2000/svg"',
			'g',
			'&',
			';',
			'"',
			'=',
			'#',
			'(',
			')',
			'href',
			'<!--',
			'-->',
			'<![CDATA[',
			']]>',
			'<?',
			'?>',
			'url',
			'style',
			'x',
			' ',
		);
		fc.assert(
			fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
				for (const text of [pieces.join(''), svg(pieces.join(''))]) {
					const problem = svgProblem(text);
					expect(problem === null || problem.message.endsWith('.')).toBe(true);
				}
			}),
		);
	});
});
