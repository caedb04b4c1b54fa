import type { ErrorParams } from '#domain/validation/problem.ts';

/** The codes of requests that the HTTP layer refuses, with the names of their params (shared/http/README.md#errors). */
export const requestErrorParams = {
	content_encoding_not_supported: [],
	content_type_not_json: [],
	body_too_large: ['limit', 'actual'],
	body_not_utf8: [],
	body_not_json: [],
	body_not_an_object: [],
	body_required: [],
	bad_path_id: [],
	bad_dry_run: [],
	no_dry_run: [],
	bad_idempotency_key: [],
	no_idempotency_key: [],
	bad_if_match: [],
	bad_after: [],
	no_tenant: [],
	answer_too_large: ['limit'],
	listing_too_large: ['limit'],
} as const;

/** The code of a request that the HTTP layer refuses. */
export type RequestErrorCode = keyof typeof requestErrorParams;

/** A request that the HTTP layer refuses: for what was sent, or because the answer is too large. The message is sent to the client. */
export class RequestError extends Error {
	override readonly name = 'RequestError';
	readonly status: 400 | 403 | 413 | 415;
	/** The key of the message in the response's body: the name of a field, or `request`. */
	readonly field: string;
	readonly code: RequestErrorCode;
	readonly params: ErrorParams;

	constructor(
		status: RequestError['status'],
		field: string,
		code: RequestErrorCode,
		message: string,
		{ params = {}, ...options }: ErrorOptions & { readonly params?: ErrorParams } = {},
	) {
		super(message, options);
		this.status = status;
		this.field = field;
		this.code = code;
		this.params = params;
	}
}
