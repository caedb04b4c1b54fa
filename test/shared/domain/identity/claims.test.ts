import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absentClaims, type Claims, claimValues, hasClaim } from '#domain/identity/claims.ts';
import vectors from '#test/vectors/claims.json' with { type: 'json' };

/** Parses JSON: only there is `__proto__` a property as any other. */
const parsed = (json: string): Claims => JSON.parse(json);

describe('the values of a claim', () => {
	test.each(vectors.values)('$title', ({ claims, name, values }) => {
		expect(claimValues(parsed(claims), name)).toEqual(values);
	});

	test('are never those of a prototype, whatever the name', () => {
		fc.assert(
			fc.property(fc.constantFrom('__proto__', 'constructor', 'toString', 'constructor.name', '__proto__.a'), (name) => {
				expect(claimValues({}, name)).toEqual([]);
				expect(claimValues({ a: {} }, `a.${name}`)).toEqual([]);
			}),
		);
	});

	test('are texts, and finding them changes and throws nothing', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.string(), (value, name) => {
				const claims = { [name]: value };
				const before = JSON.stringify(claims);
				for (const each of [name, ...name.split('.')])
					expect(claimValues(claims, each).every((text) => typeof text === 'string')).toBe(true);
				expect(JSON.stringify(claims)).toBe(before);
			}),
		);
	});
});

test.each([
	[{ groups: [] }, 'groups', true],
	[{ groups: null }, 'groups', false],
	[{}, 'groups', false],
	[{ a: { roles: [] } }, 'a.roles', true],
	[{ 'a.roles': '' }, 'a.roles', true],
	[{ a: {} }, 'a.roles', false],
	[{}, 'constructor.name', false],
	[{ email: 'a@b.example' }, 'email', false],
	[{ email: 'a@b.example', email_verified: false }, 'email', true],
	[{ email_verified: true }, 'email', false],
])('whether %j say something of %s: %j', (claims, name, says) => {
	expect(hasClaim(claims, name)).toBe(says);
});

test.each(vectors.absent)('says which claims are elsewhere: $title', ({ claims, names }) => {
	expect(absentClaims(parsed(claims))).toEqual(names);
});
