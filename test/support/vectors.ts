import { readFileSync } from 'node:fs';

/** Reads the cases in test/vectors/NAME.json. A JSON import would lose keys named `__proto__`. */
export const readVectors = <Case>(name: string): readonly Case[] =>
	JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));
