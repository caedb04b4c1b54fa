import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { MarkedState, severityNumbers } from '#page/core/alarm-state.ts';
import { language } from '#page/core/preferences.ts';
import { worstFirst } from '#page/core/shown.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { alarmIcon } from '#page/parts/alarm-mark.tsx';
import { type ShapeKind, shapeIcon } from '#page/parts/state-shape.tsx';
import { shellText } from '#page/shell/texts.ts';

const sprite = readFileSync(new URL(import.meta.resolve('#page/sprite.svg')), 'utf8');

/** What is drawn by a symbol, without its name and without colours: shape alone. */
const drawings = new Map(
	[...sprite.matchAll(/<symbol id="([^"]+)"[^>]*>([\s\S]*?)<\/symbol>/g)].map(([, id = '', drawing = '']) => [
		id,
		drawing.trim(),
	]),
);

const severities = ['critical', 'warning', 'info'] as const satisfies readonly (keyof typeof severityNumbers)[];
const kinds = ['pump', 'valve', 'state'] as const satisfies readonly ShapeKind[];
const withSeverity = [
	'active_unacknowledged',
	'active_acknowledged',
	'returned_unacknowledged',
] as const satisfies readonly MarkedState[];
const withoutSeverity = ['normal', 'shelved', 'disabled', 'unknown'] as const satisfies readonly MarkedState[];

afterEach(() => {
	language.value = 'en';
});

describe('each state of the console', () => {
	test.each([
		['quality', worstFirst.map((quality) => `q-${quality}`)],
		[
			'alarm',
			[
				...severities.flatMap((severity) => withSeverity.map((state) => alarmIcon(severity, state))),
				...withoutSeverity.map((state) => alarmIcon('critical', state)),
			],
		],
		['shape of the plant', kinds.flatMap((kind) => [true, false, null].map((on) => shapeIcon(kind, on)))],
	])('has a shape of its own among every %s', (_, icons) => {
		const drawn = icons.map((icon) => drawings.get(icon));
		expect(drawn).not.toContain(undefined);
		expect(new Set(drawn).size).toBe(icons.length);
	});

	test.each(['en', 'es'] as const)('has a word of its own, in %s', (spoken) => {
		language.value = spoken;
		const groups = {
			qualities: [...Object.values(qualityWords()), commonText().outdated],
			connections: [shellText().live, commonText().reading, shellText().failed, shellText().lost, shellText().paused],
			severities: Object.values(alarmStateText().severities),
			alarms: Object.values(alarmStateText().states),
			...Object.fromEntries(kinds.map((kind) => [kind, [...Object.values(stateWords()[kind]), stateWords().unknown]])),
		};
		for (const [name, words] of Object.entries(groups)) {
			expect(words.length, name).toBeGreaterThanOrEqual(3);
			expect(new Set(words.map((word) => word.toLowerCase())).size, `${name}: ${words}`).toBe(words.length);
		}
	});
});
