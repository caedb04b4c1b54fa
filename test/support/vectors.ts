import { existsSync, readFileSync } from 'node:fs';

/** Reads the cases in test/vectors/NAME.json. A JSON import would lose keys named `__proto__`. */
export const readVectors = <Case>(name: string): readonly Case[] =>
	JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));

/** The cases of the handbook that this project is built after. It lies beside the project, where there is one. */
const waterVectors = new URL('../../../shared/data/water-vectors.json', import.meta.url);

/** Whether the handbook's cases are there. A test that needs them says in its name that it is skipped without. */
export const hasWaterVectors = existsSync(waterVectors);

/** Reads the handbook's cases of a rule; none without the handbook. */
export const readWaterVectors = <Case>(rule: string): readonly Case[] => {
	if (!hasWaterVectors) return [];
	const { cases }: { readonly cases: readonly (Case & { readonly rule: string })[] } = JSON.parse(
		readFileSync(waterVectors, 'utf8'),
	);
	return cases.filter((each) => each.rule.split(' ').includes(rule));
};
