import type { Schemas } from '#page/core/api.ts';
import { commonText } from './common.ts';
import { messages } from './i18n.ts';

/** Returns who did something: the name, with a mark unless it is that of a person. Empty for null. */
export function actorWords(actor: Schemas['Actor'] | null): string {
	if (actor === null) return '';
	const { kind, name } = actor;
	return kind === 'person' ? name : `${name} (${kind === 'unknown' ? actorText().unknown : commonText().program})`;
}

const actorText = messages({
	en: {
		unknown: 'person or program',
	},
	es: {
		unknown: 'persona o programa',
	},
});
