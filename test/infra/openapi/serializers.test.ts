import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Schemas } from '#infra/openapi/api.ts';
import type { Written } from '#infra/openapi/serializers.ts';

const root = new URL('../../../', import.meta.url);

/** They write parts of what other functions write. */
const parts = ['actorsToJson', 'contentToJson'];

test('every function that writes JSON for an answer has a row', () => {
	const names = readdirSync(new URL('shared/http/', root), { recursive: true }).map(String);
	const files = names
		.filter((name) => name.endsWith('.ts'))
		.map((name) => readFileSync(new URL(`shared/http/${name}`, root), 'utf8'));
	const functions = files.flatMap((text) => [...text.matchAll(/^export function (\w+ToJson)\b/gm)].map(([, name = '']) => name));
	const rows = readFileSync(new URL('infra/openapi/serializers.ts', root), 'utf8');
	expect(functions.length).toBeGreaterThan(20);
	expect(new Set(functions.filter((name) => !new RegExp(`Written<.*\\b${name}\\b`).test(rows)))).toEqual(new Set(parts));
});

type Machine = Schemas['Machine'];
type Secret = Machine['secrets'][number];

test('a function that forgets a field, adds one or changes its type has none', () => {
	type Whole = Written<'Machine', () => Machine>;
	type OfLists = Written<'Machine', () => Readonly<Omit<Machine, 'secrets'>> & { readonly secrets: readonly Secret[] }>;
	// @ts-expect-error The role is forgotten.
	type Forgotten = Written<'Machine', () => Omit<Machine, 'role'>>;
	// @ts-expect-error The role may be missing.
	type MayBeMissing = Written<'Machine', () => Omit<Machine, 'role'> & Partial<Pick<Machine, 'role'>>>;
	// @ts-expect-error The role may be null.
	type MayBeNull = Written<'Machine', () => Omit<Machine, 'role'> & { readonly role: Machine['role'] | null }>;
	// @ts-expect-error The document names no hash.
	type Added = Written<'Machine', () => Machine & { readonly hash: string }>;
	// @ts-expect-error Nor one that may be missing.
	type MayBeAdded = Written<'Machine', () => Machine & { readonly hash?: string }>;
	// @ts-expect-error Nor one within a list.
	type AddedWithin = Written<'Machine', () => Omit<Machine, 'secrets'> & { secrets: (Secret & { readonly hash: string })[] }>;
	// @ts-expect-error Of a choice between objects, each has the quality.
	type OfChoice = Written<'Reading', () => Omit<Schemas['LastReading'], 'quality'> | Schemas['MissingReading']>;
	const rows: [Whole, OfLists, Forgotten, MayBeMissing, MayBeNull, Added, MayBeAdded, AddedWithin, OfChoice][] = [];
	expect(rows).toEqual([]);
});
