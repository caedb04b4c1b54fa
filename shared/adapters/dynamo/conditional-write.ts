import { randomUUID } from 'node:crypto';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { DomainError } from '#domain/errors.ts';
import { jitteredPause } from '../jittered-pause.ts';
import { redactError } from '../redact.ts';
import type { Dynamo } from './dynamo-client.ts';
import { cancellationReasons, requestFaultOf } from './fault.ts';
import { type ItemAddress, stampCondition } from './items.ts';
import { RetriesExhaustedError, type SendOptions, sendWithRetry, storeFailed } from './send.ts';

/** The reasons why DynamoDB refuses a commit. `metadata`: the condition of a schema's metadata item failed; `makeRoom` finds out why. */
export type CommitRefusal = 'conflict' | 'metadata' | 'claim_lost';

/** One action of a transaction, and the outcome of the commit when its condition fails. */
export interface ConditionalAction<Refusal extends CommitRefusal = CommitRefusal> {
	readonly action: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
	readonly refusal: Refusal;
}

/** Most bytes of text in one transaction. DynamoDB's limit is 4 MB, keys and attribute names included. */
const maxBytes = 4_000_000;
/** Most bytes of text in one item. DynamoDB's limit is 400 KiB, keys and attribute names included. */
const maxItemBytes = 400_000;

/**
 * Returns the action that stores an item, on condition that it has the `rowVersion` that was read (`stampCondition`).
 * @param attributes of the item beside its key; null: deletes the item; undefined: only checks the condition
 */
export function stampedAction(
	{ TableName, Key }: ItemAddress,
	expected: number | null,
	attributes: Readonly<Record<string, unknown>> | null | undefined,
): ConditionalAction<'conflict'> {
	const target = { TableName, ...stampCondition(expected) };
	const refusal = 'conflict';
	if (attributes === undefined) return { action: { ConditionCheck: { ...target, Key } }, refusal };
	if (attributes === null) return { action: { Delete: { ...target, Key } }, refusal };
	return { action: { Put: { ...target, Item: { ...Key, ...attributes } } }, refusal };
}

/**
 * Writes all items of a transaction or none. All attempts carry one ClientRequestToken, so DynamoDB applies it at most once.
 * A transaction that DynamoDB was too busy for is a conflict: nothing was written, and the caller starts again.
 * @throws DomainError `store_failed`; `outcome_unknown`
 */
export function sendTransaction<Refusal extends CommitRefusal>(
	dynamo: Dynamo,
	actions: readonly ConditionalAction<Refusal>[],
): Promise<Refusal | 'conflict' | 'committed'> {
	const command = new TransactWriteCommand({
		TransactItems: actions.map(({ action }) => action),
		ClientRequestToken: randomUUID(),
	});
	return sendCommit(
		dynamo,
		(options) => dynamo.client.send(command, options),
		(error) => refusalOf(actions, error),
	);
}

/**
 * Sends a commit. It must be harmless when it is applied twice, and then have the same outcome.
 * @param refusalOf returns why DynamoDB refused the commit; undefined for any other error
 * @throws DomainError `store_failed`; `outcome_unknown`
 */
export async function sendCommit<Refusal>(
	dynamo: Dynamo,
	send: (options: SendOptions) => Promise<unknown>,
	refusalOf: (error: unknown) => Refusal | undefined,
): Promise<Refusal | 'conflict' | 'committed'> {
	try {
		return await sendWithRetry(dynamo, async (options) => {
			try {
				await send(options);
				return 'committed';
			} catch (error) {
				const refusal = refusalOf(error);
				if (refusal === undefined) throw error;
				return refusal;
			}
		});
	} catch (error) {
		if (!(error instanceof RetriesExhaustedError)) throw error;
		if (error.uncertain) throw new DomainError('outcome_unknown', { cause: redactError(error.cause) }, { cause: error });
		if (error.fault === 'busy') return 'conflict';
		throw storeFailed(error);
	}
}

/** Most attempts of `repeatOnConflict`. Each further attempt follows a conflicting change of the same rows. */
const maxAttempts = 12;
/** When a client should repeat a request after too many attempts. */
const retryAfterMs = 1000;

/**
 * Reads, decides and commits again while the commit conflicts with another one.
 * @param attempt returns `conflict` where something was changed since it was read
 * @throws DomainError `write_contention` after 12 attempts
 */
export async function repeatOnConflict<Outcome>(attempt: () => Promise<Outcome | 'conflict'>): Promise<Outcome> {
	for (let number = 1; number <= maxAttempts; number += 1) {
		const outcome = await attempt();
		if (outcome !== 'conflict') return outcome;
		await jitteredPause(number);
	}
	throw new DomainError('write_contention', { retryAfterMs });
}

/** Checks the texts that one transaction stores. @throws DomainError `too_large` when one transaction cannot hold them */
export function checkTransactionSize(texts: readonly string[]): void {
	let bytes = 0;
	for (const text of texts) {
		const actual = Buffer.byteLength(text);
		if (actual > maxItemBytes)
			throw new DomainError('too_large', { field: 'request', counted: 'bytes_of_row', actual, limit: maxItemBytes });
		bytes += actual;
	}
	if (bytes > maxBytes)
		throw new DomainError('too_large', { field: 'request', counted: 'bytes_of_commit', actual: bytes, limit: maxBytes });
}

/**
 * Returns why a transaction was cancelled; undefined if it should be retried or failed otherwise. Priority: row conflict,
 * throttling, metadata, lost claim. SQLite's commit has the same order.
 */
function refusalOf<Refusal extends CommitRefusal>(
	actions: readonly ConditionalAction<Refusal>[],
	error: unknown,
): Refusal | undefined {
	const reasons = cancellationReasons(error);
	const refusals = actions.flatMap(({ refusal }, index) => (reasons[index] === 'ConditionalCheckFailed' ? [refusal] : []));
	const conflict = refusals.find((refusal) => refusal === 'conflict');
	if (conflict !== undefined) return conflict;
	if (requestFaultOf(error) === 'busy') return undefined;
	return refusals.find((refusal) => refusal === 'metadata') ?? refusals[0];
}
