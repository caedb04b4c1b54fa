import { readFileSync } from 'node:fs';

/** The cases of test/vectors/NAME.json. Parsed here, because a bundler that reads a module of JSON loses `__proto__`. */
export const readVectors = <Case>(name: string): readonly Case[] =>
	JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'));
