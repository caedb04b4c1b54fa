import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../../../functions/console/page');
const tokens = readFileSync(join(folder, 'style/tokens.css'), 'utf8');

/** Both colours of each token, as they stand in the style sheet. */
const pairs = new Map(
	[...tokens.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/gi)].map(
		([, name = '', light = '', dark = '']) => [name, { light, dark }],
	),
);

/** The relative luminance of a colour (WCAG 2.2). */
const luminance = (colour: string): number => {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5]
		.map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
		.map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast ratio of two tokens (WCAG 2.2), the lower of both themes. */
const contrast = (one: string, other: string): number =>
	Math.min(
		...(['light', 'dark'] as const).map((theme) => {
			const [first, second] = [one, other].map((name) => luminance(pairs.get(name)?.[theme] ?? '#')).sort((a, b) => b - a);
			return ((first ?? Number.NaN) + 0.05) / ((second ?? Number.NaN) + 0.05);
		}),
	);

const grounds = ['ground', 'panel', 'field'];

describe('the colours of the console', () => {
	test('are measured right', () => {
		expect(contrast('ink', 'field')).toBeCloseTo(11.0, 1);
		expect(contrast('lost-on', 'lost')).toBeCloseTo(15.3, 0);
	});

	test.each(['ink', 'ink-2', 'ink-3', 'live', 'crit', 'warn-edge', 'info', 'qual', 'error'])(
		'%s can be read on every ground',
		(ink) => {
			for (const ground of grounds) expect(contrast(ink, ground), ground).toBeGreaterThanOrEqual(4.5);
		},
	);

	test.each([
		['crit-on', 'crit'],
		['warn-on', 'warn'],
		['info-on', 'info'],
		['qual-on', 'qual'],
		['btn-on', 'btn'],
		['lost-on', 'lost'],
		['ink', 'select'],
		['live', 'select'],
		['qual', 'select'],
		['crit', 'select'],
		['ink', 'hatch'],
		['ink-2', 'hatch'],
		['ink-2', 'rail-bg'],
		['ink-3', 'rail-bg'],
	])('%s can be read on %s', (ink, ground) => {
		expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
	});

	test.each(['edge', 'trend', 'focus-ink', 's1', 's2', 's3', 's4', 's5', 's6'])(
		'%s can be seen as a shape on every ground',
		(shape) => {
			for (const ground of grounds) expect(contrast(shape, ground), ground).toBeGreaterThanOrEqual(3);
		},
	);
});
