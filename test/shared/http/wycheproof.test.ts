import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { PublicKey } from '#domain/ports/token-signer.ts';
import { weaknessOf } from '#domain/signing-keys/rsa-key.ts';
import { createAuthorizer } from '#http/authorizer.ts';
import { verifySignature } from '#http/jws.ts';

/** The vectors of C2SP/wycheproof lie beside the repository, not in it. */
const folder = join(import.meta.dirname, '../../../../shared/data/wycheproof');
const isPresent = existsSync(folder);
if (!isPresent) console.warn(`THE WYCHEPROOF VECTORS ARE SKIPPED: ${folder} is absent.`);

const jwkSchema = v.looseObject({ kty: v.string(), n: v.optional(v.string(), ''), e: v.optional(v.string(), '') });
const keysSchema = v.union([
	v.pipe(
		v.object({ keys: v.array(jwkSchema) }),
		v.transform(({ keys }) => keys),
	),
	v.pipe(
		jwkSchema,
		v.transform((key) => [key]),
	),
]);
const fileSchema = v.object({
	numberOfTests: v.number(),
	testGroups: v.array(
		v.object({
			private: v.optional(keysSchema),
			public: v.optional(keysSchema),
			tests: v.array(
				v.object({ tcId: v.number(), comment: v.string(), jws: v.string(), result: v.picklist(['valid', 'invalid']) }),
			),
		}),
	),
});

/** Reads the vectors of a file, each with the keys of its group. The tests of symmetric keys have private keys only. */
const vectorsOf = (file: string) => {
	const { testGroups, numberOfTests } = v.parse(fileSchema, JSON.parse(readFileSync(join(folder, file), 'utf8')));
	const vectors = testGroups.flatMap((group) =>
		group.tests.map((each) => ({ ...each, keys: group.public ?? group.private ?? [] })),
	);
	expect(vectors).toHaveLength(numberOfTests);
	return vectors;
};
type Vector = ReturnType<typeof vectorsOf>[number];

/** The keys that would be published: a weak RSA key is refused where it enters. The others are tried as they are, whatever their type. */
const published = ({ keys }: Vector): readonly PublicKey[] =>
	keys.filter((key) => key.kty !== 'RSA' || weaknessOf(key) === null) as unknown as readonly PublicKey[];

const algorithmOf = (jws: string): string =>
	JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString()).alg ?? 'none';

/** The rule by which a token is refused that is valid by Wycheproof. */
const stricterRuleOf = ({ tcId, jws }: Vector): string => {
	// HTTP APIs of API Gateway accept RSASSA-PKCS1-v1_5 only, and the issuer signs with RS256 (shared/domain/use-cases/README.md#tokens).
	if (!/^RS\d+$/.test(algorithmOf(jws))) return 'only RS256, RS384 and RS512';
	// A token carries claims (RFC 7519 section 7.2), so that no payload is empty.
	if (jws.split('.')[1] === '') return 'no empty payload';
	return `no rule explains ${tcId}`;
};

describe.skipIf(!isPresent)('Wycheproof (skipped where ../shared/data/wycheproof is absent)', () => {
	test.each([
		['json_web_signature_test.json', { accepted: 13, 'only RS256, RS384 and RS512': 30, 'no empty payload': 3 }],
		['json_web_key_test.json', { accepted: 1, 'only RS256, RS384 and RS512': 4 }],
	])('%s: no signature is wrongly accepted, and a rule explains every valid one that is refused', async (file, expected) => {
		const wronglyAccepted: string[] = [];
		const valid: string[] = [];
		for (const vector of vectorsOf(file)) {
			const isAccepted = (await verifySignature(vector.jws, published(vector))) !== null;
			if (vector.result === 'valid') valid.push(isAccepted ? 'accepted' : stricterRuleOf(vector));
			else if (isAccepted) wronglyAccepted.push(`${vector.tcId} ${vector.comment}`);
		}
		expect(wronglyAccepted).toEqual([]);
		const counts = Object.entries(Object.groupBy(valid, (rule) => rule)).map(([rule, each = []]) => [rule, each.length]);
		expect(Object.fromEntries(counts)).toEqual(expected);
	});

	test.each(['json_web_signature_test.json', 'json_web_key_test.json'])(
		'%s: the authorizer refuses every vector, because none carries claims',
		async (file) => {
			for (const vector of vectorsOf(file)) {
				const authorize = createAuthorizer({
					issuer: 'https://issuer',
					audience: 'caudal',
					keys: { published: async () => published(vector) },
					now: Date.now,
				});
				expect(await authorize(`Bearer ${vector.jws}`, ['service']), vector.comment).toMatchObject({ outcome: 'unauthorized' });
			}
		},
	);
});
