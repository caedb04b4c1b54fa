/** The headers of answers, by the names of their components in the document. */
export const headers = {
	ETag: {
		description: 'Names the stored version, for `If-Match` (of this document and of tables: for `If-None-Match`).',
		schema: { type: 'string' },
		example: '"3"',
	},
	RetryAfter: {
		description: 'Seconds to wait before the next attempt. The gateway’s own answers have none.',
		schema: { type: 'integer', minimum: 1 },
		example: 1,
	},
	Replayed: {
		description: '`true`: the answer to the first request with this `Idempotency-Key`. Nothing was changed now.',
		schema: { type: 'string', enum: ['true'] },
		example: 'true',
	},
	RequestId: {
		description: 'Identifies the request in the log of the service.',
		schema: { type: 'string' },
		example: 'JKJaXmPLvHcESHA=',
	},
	Challenge: {
		description: 'Why the token is refused (RFC 6750).',
		schema: { type: 'string' },
		example: 'Bearer scope="service" error="invalid_token" error_description="the token has expired"',
	},
	CacheControl: {
		description: 'How long the answer may be cached.',
		schema: { type: 'string' },
		example: 'public, max-age=3600',
	},
} as const;

/** The name that each header has in an answer. */
export const headerNames = {
	ETag: 'ETag',
	RetryAfter: 'Retry-After',
	Replayed: 'Idempotent-Replayed',
	RequestId: 'apigw-requestid',
	Challenge: 'WWW-Authenticate',
	CacheControl: 'Cache-Control',
} as const satisfies Readonly<Record<keyof typeof headers, string>>;
