import type { Schemas } from '#page/core/api.ts';
import { messages } from './i18n.ts';

/** Returns who did something: the name, with a mark unless it is that of a person. Empty for null. */
export function actorWords(actor: Schemas['Actor'] | null): string {
	if (actor === null) return '';
	const { kind, name } = actor;
	const { program, personOrProgram } = actorText();
	return kind === 'person' ? name : `${name} (${kind === 'unknown' ? personOrProgram : program})`;
}

const actorText = messages({
	en: { personOrProgram: 'person or program', program: 'program' },
	es: { personOrProgram: 'persona o programa', program: 'programa' },
});
