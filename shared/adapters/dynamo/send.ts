import { DomainError } from '#domain/errors.ts';
import { jitteredPause } from '../jittered-pause.ts';
import { reasonOf } from '../redact.ts';
import type { Dynamo } from './dynamo-client.ts';
import { type Fault, faultOf } from './fault.ts';

/** Given to every request of the SDK. */
export interface SendOptions {
	readonly abortSignal: AbortSignal;
}

/** A request given up, for its last attempt's fault. */
export class RetriesExhaustedError extends Error {
	override readonly name = 'RetriesExhaustedError';
	readonly fault: Fault;
	/** Whether any attempt may have been applied. */
	readonly uncertain: boolean;

	constructor(fault: Fault, uncertain: boolean, cause: unknown) {
		super(reasonOf(cause), { cause });
		this.fault = fault;
		this.uncertain = uncertain;
	}
}

/** The time that one call of a port has, for all its requests. */
export function callDeadline({ limits }: Dynamo): AbortSignal {
	return AbortSignal.timeout(limits.callMs);
}

/**
 * Sends a request until it is answered: again, after a jittered pause, whatever fails without being refused, while the deadline
 * and `budget` allow. So it must be harmless when applied twice. Throws RetriesExhaustedError.
 */
export async function sendWithRetry<Answer>(
	{ limits }: Dynamo,
	send: (options: SendOptions) => Promise<Answer>,
	budget?: AbortSignal,
): Promise<Answer> {
	const deadline = AbortSignal.any([AbortSignal.timeout(limits.deadlineMs), ...(budget === undefined ? [] : [budget])]);
	let uncertain = false;
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await send({ abortSignal: AbortSignal.any([deadline, AbortSignal.timeout(limits.requestTimeoutMs)]) });
		} catch (error) {
			const fault = faultOf(error);
			uncertain ||= fault === 'uncertain';
			if (fault === 'refused' || deadline.aborted || attempt >= limits.maxAttempts)
				throw new RetriesExhaustedError(fault, uncertain, error);
			await jitteredPause(attempt);
			if (deadline.aborted) throw new RetriesExhaustedError(fault, uncertain, error);
		}
	}
}

/** The failure of a request that changes nothing, or nothing that matters when it is repeated, as the domain names it. */
export function storeFailed(error: unknown): DomainError {
	return new DomainError(
		'store_failed',
		{ cause: reasonOf(error instanceof RetriesExhaustedError ? error.cause : error) },
		{ cause: error },
	);
}

/** `sendWithRetry`, for requests of which the domain needs to know only that they failed. Throws `store_failed`. */
export async function sendOrFail<Answer>(
	dynamo: Dynamo,
	send: (options: SendOptions) => Promise<Answer>,
	budget?: AbortSignal,
): Promise<Answer> {
	try {
		return await sendWithRetry(dynamo, send, budget);
	} catch (error) {
		throw error instanceof RetriesExhaustedError ? storeFailed(error) : error;
	}
}
