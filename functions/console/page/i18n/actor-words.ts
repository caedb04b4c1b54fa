import type { Schemas } from '#page/core/api.ts';
import { messages } from './i18n.ts';

const actorText = messages({
	en: { program: (name: string) => `${name} (program)`, unknown: (name: string) => `${name} (person or program)` },
	es: { program: (name: string) => `${name} (programa)`, unknown: (name: string) => `${name} (persona o programa)` },
});

/** Returns who did something: the name, with a mark unless it is that of a person. Empty for null. */
export function actorWords(actor: Schemas['Actor'] | null): string {
	if (actor === null) return '';
	const { kind, name } = actor;
	return kind === 'person' ? name : actorText()[kind === 'unknown' ? 'unknown' : 'program'](name);
}
