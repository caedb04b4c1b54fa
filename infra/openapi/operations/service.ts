import { pathOf } from '#shared/contract.ts';
import type { ApiOperation } from '../operation.ts';

/** Where the documents of the issuer are on AWS: not at the address of the service. A part of two descriptions. */
const addressOnAws = 'On AWS the issuer has an address of its own: the claim `iss` of a token.';

/** The operations of the service itself. */
export const serviceOperations = {
	health: {
		id: 'getHealth',
		tag: 'Service',
		summary: 'Ask whether the service answers, and which release it is',
		description: 'Touches no dependency. A build that is no release has the version of the next one with `-dev`.',
		answer: {
			description: 'The service answers.',
			schema: 'Health',
			examples: { ok: { summary: 'The service answers', value: { status: 'ok', version: '0.1.0' } } },
		},
	},
	openapi: {
		id: 'getApiDescription',
		tag: 'Service',
		summary: 'Get this document',
		description: 'Returns this document. With `If-None-Match` the answer is 304 where it has not changed.',
		parameters: ['IfNoneMatch'],
		answer: {
			description: 'This document.',
			schema: 'ApiDescription',
			headers: ['ETag', 'CacheControl'],
			examples: { document: { summary: 'The beginning of the document', value: { openapi: '3.1.0' } } },
		},
		others: { 304: 'NotModified' },
	},
	openidConfiguration: {
		id: 'getDiscoveryDocument',
		tag: 'Service',
		summary: 'Get the issuer’s discovery document',
		description: `Says who issues tokens and where the public keys are. ${addressOnAws}`,
		answer: {
			description: 'The discovery document.',
			schema: 'Discovery',
			headers: ['CacheControl'],
			examples: {
				local: {
					summary: 'The issuer on one machine',
					value: {
						issuer: 'http://127.0.0.1:3000',
						jwks_uri: `http://127.0.0.1:3000${pathOf('jwks')}`,
						response_types_supported: ['token'],
						subject_types_supported: ['public'],
						id_token_signing_alg_values_supported: ['RS256'],
					},
				},
			},
		},
	},
	jwks: {
		id: 'getPublicKeys',
		tag: 'Service',
		summary: 'Get the issuer’s public keys',
		description: `Returns the public keys that verify tokens; 503 until the first key is published. ${addressOnAws}`,
		answer: {
			description: 'The public keys.',
			schema: 'PublicKeys',
			headers: ['CacheControl'],
			examples: {
				key: {
					summary: 'One key, with a shortened modulus',
					value: {
						keys: [{ kid: 'first', kty: 'RSA', alg: 'RS256', use: 'sig', n: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo', e: 'AQAB' }],
					},
				},
			},
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
