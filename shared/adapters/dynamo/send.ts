import type {
	$Command,
	DynamoDBDocumentClientResolvedConfig,
	ServiceInputTypes,
	ServiceOutputTypes,
} from '@aws-sdk/lib-dynamodb';
import { DomainError } from '#domain/errors.ts';
import { jitteredPause } from '../jittered-pause.ts';
import { redactError } from '../redact.ts';
import type { Dynamo } from './dynamo-client.ts';
import { type RequestFault, requestFaultOf } from './fault.ts';

/** A command of the SDK that a document client sends. */
export type DynamoCommand<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
	Input,
	Output,
	DynamoDBDocumentClientResolvedConfig,
	ServiceInputTypes,
	ServiceOutputTypes
>;

/** The options of the SDK for one attempt. */
export interface SendOptions {
	readonly abortSignal: AbortSignal;
}

/** A request whose last attempt failed. Its cause is the error of that attempt. */
export class RetriesExhaustedError extends Error {
	override readonly name = 'RetriesExhaustedError';
	/** The fault of the last attempt. */
	readonly fault: RequestFault;
	/** Whether any attempt may have been applied. */
	readonly uncertain: boolean;

	constructor({ fault, uncertain }: Pick<RetriesExhaustedError, 'fault' | 'uncertain'>, cause: unknown) {
		super(redactError(cause), { cause });
		this.fault = fault;
		this.uncertain = uncertain;
	}
}

/** Returns the error of the SDK behind the error of a request that was given up. */
export function sdkErrorOf(error: unknown): unknown {
	return error instanceof RetriesExhaustedError ? error.cause : error;
}

/** The deadline for all requests of one call of a port. */
export function callDeadline({ limits }: Dynamo): AbortSignal {
	return AbortSignal.timeout(limits.callMs);
}

/**
 * Sends a request. After a failed attempt and a jittered pause, repeats it unless DynamoDB refused it
 * (shared/adapters/dynamo/README.md#retries-and-faults). The request must be harmless when it is applied twice. Throws
 * RetriesExhaustedError; without an attempt when no time is left.
 * @param deadline of the call that the request is part of, in addition to the request's own
 */
export async function sendWithRetry<Result>(
	{ limits, timeLeftMs }: Pick<Dynamo, 'limits' | 'timeLeftMs'>,
	send: (options: SendOptions) => Promise<Result>,
	deadline?: AbortSignal,
): Promise<Result> {
	const timeMs = Math.min(limits.deadlineMs, timeLeftMs());
	if (timeMs <= 0) {
		const cause = new Error('no time is left for requests to DynamoDB');
		throw new RetriesExhaustedError({ fault: 'unreached', uncertain: false }, cause);
	}
	const signal = AbortSignal.any([AbortSignal.timeout(timeMs), ...(deadline === undefined ? [] : [deadline])]);
	let uncertain = false;
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await send({ abortSignal: AbortSignal.any([signal, AbortSignal.timeout(limits.requestTimeoutMs)]) });
		} catch (error) {
			const fault = requestFaultOf(error);
			uncertain ||= fault === 'uncertain';
			const isLast = fault === 'refused' || signal.aborted || timeLeftMs() <= 0 || attempt >= limits.maxAttempts;
			if (!isLast) await jitteredPause(attempt);
			if (isLast || signal.aborted) throw new RetriesExhaustedError({ fault, uncertain }, error);
		}
	}
}

/** Sends a command with `sendWithRetry`. Throws DomainError `store_failed` when it fails. */
export async function sendOrFail<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
	dynamo: Dynamo,
	command: DynamoCommand<Input, Output>,
	deadline?: AbortSignal,
): Promise<Output> {
	try {
		return await sendWithRetry(dynamo, (options) => dynamo.client.send(command, options), deadline);
	} catch (error) {
		throw storeFailed(error);
	}
}

/**
 * Sends a command that DynamoDB may refuse with the error `refusal`. Returns that error, or undefined when the command was applied.
 * Throws DomainError `store_failed` when it fails in another way.
 */
export async function sendConditional<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
	dynamo: Dynamo,
	command: DynamoCommand<Input, Output>,
	refusal?: string,
): Promise<Error | undefined> {
	const answer = await sendOrRefused(dynamo, command, refusal);
	return 'refusal' in answer ? answer.refusal : undefined;
}

/** Sends a command as `sendConditional` does. Returns its output, or the error of the refusal. */
export async function sendOrRefused<Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
	dynamo: Dynamo,
	command: DynamoCommand<Input, Output>,
	refusal = 'ConditionalCheckFailedException',
): Promise<{ readonly output: Output } | { readonly refusal: Error }> {
	try {
		return { output: await sendWithRetry(dynamo, (options) => dynamo.client.send(command, options)) };
	} catch (error) {
		const cause = sdkErrorOf(error);
		if (cause instanceof Error && cause.name === refusal) return { refusal: cause };
		throw storeFailed(error);
	}
}

/**
 * The domain's error for a failed request. A write outside commits (an idempotency claim, a user, a sign-in failure, a counter) may
 * have happened when its outcome is uncertain. A commit whose outcome is uncertain has the error `outcome_unknown` instead.
 */
export function storeFailed(error: unknown): DomainError {
	const reason = redactError(sdkErrorOf(error));
	return new DomainError('store_failed', { cause: reason }, { cause: error });
}
