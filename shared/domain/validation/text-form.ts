import type { TextForm } from './keywords.ts';
import { type Problem, problem } from './problem.ts';

/** Control characters, line breaks, and marks of direction that last until another mark. */
const suspects = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

const breaks = '\t\n\r\u2028\u2029';
const isolateEnd = '\u2069';
const embeddingEnd = '\u202c';

/**
 * Returns the problem of a text that holds a control character, or a mark of direction that reaches beyond the text: an embedding, override or
 * isolate that it does not end, or an end without a start (Unicode Standard Annex 9, X1 to X7). Returns undefined when there is none.
 */
export function badCharacterIn(text: string, form: TextForm): Problem | undefined {
	if (form === 'any') return undefined;
	/** The marks that are not ended yet, the last one at the end. */
	const open: string[] = [];
	for (const [character] of text.matchAll(suspects)) {
		if (character === isolateEnd) {
			// The end of an isolate also ends the embeddings in it.
			const start = open.findLastIndex((mark) => mark > isolatesFrom);
			if (start < 0) return badCharacter(character);
			open.length = start;
		} else if (character === embeddingEnd) {
			if ((open.at(-1) ?? isolateEnd) > isolatesFrom) return badCharacter(character);
			open.pop();
		} else if (character >= '\u202a') open.push(character);
		else if (form === 'line' || !breaks.includes(character)) return badCharacter(character);
	}
	const [first] = open;
	return first === undefined ? undefined : badCharacter(first);
}

/** Every isolate is above this character, every embedding and override below it. */
const isolatesFrom = '\u2060';

function badCharacter(character: string): Problem {
	const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
	const message = `Must not hold ${name}: control characters and open marks of direction change the text around them. Remove it.`;
	return problem('bad_character', message, { character: name });
}
