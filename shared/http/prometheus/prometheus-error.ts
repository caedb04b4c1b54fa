import * as v from 'valibot';
import type { ApiResponse } from '../api-response.ts';
import { toErrorResponse } from '../error-response.ts';

/** The kinds of errors that a request has by itself, with their statuses. */
const statuses = { bad_data: 400, not_found: 404, execution: 422 } as const;

/** An error of a request to Prometheus' HTTP API. */
export class PrometheusError extends Error {
	override readonly name = 'PrometheusError';
	readonly kind: keyof typeof statuses;

	constructor(kind: keyof typeof statuses, message: string) {
		super(message);
		this.kind = kind;
	}
}

/** How Prometheus calls an answer with a status of the service, and the status that it has there. */
const kinds: Readonly<Record<number, { readonly errorType: string; readonly status: number }>> = {
	400: { errorType: 'bad_data', status: 400 },
	// Its clients know 422 for an expression that cannot be executed, and 503 for what may work later.
	413: { errorType: 'execution', status: 422 },
	502: { errorType: 'unavailable', status: 503 },
	503: { errorType: 'unavailable', status: 503 },
	504: { errorType: 'timeout', status: 503 },
};

const bodySchema = v.record(v.string(), v.object({ message: v.string() }));

/** Maps any thrown value to a response in Prometheus' form: `{"status": "error", "errorType", "error"}`. */
export function toPrometheusResponse(error: unknown, requestId: string): ApiResponse {
	if (error instanceof PrometheusError) return errorResponse(statuses[error.kind], error.kind, error.message);
	const { body, ...response } = toErrorResponse(error, requestId);
	const { errorType, status } = kinds[response.status] ?? { errorType: 'internal', status: response.status };
	const message = Object.entries(v.parse(bodySchema, body)).map(([field, entry]) =>
		field === 'request' ? entry.message : `${field}: ${entry.message}`,
	);
	return { ...response, ...errorResponse(status, errorType, message.join(' ')) };
}

const errorResponse = (status: number, errorType: string, error: string): ApiResponse => ({
	status,
	body: { status: 'error', errorType, error },
});
