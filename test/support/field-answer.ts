import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the right answer of a situation from the field, which lies beside the repository and not in it. Where it is absent, says so and
 * returns null.
 * @param name the name of its folder in ../shared/field
 */
// biome-ignore lint/suspicious/noExplicitAny: the tests assert on its content.
export const fieldAnswer = (name: string): any => {
	const file = join(import.meta.dirname, '../../../shared/field', name, 'expected.json');
	if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
	console.warn(`THE ANSWER OF ${name} IS SKIPPED: ${file} is absent.`);
	return null;
};
