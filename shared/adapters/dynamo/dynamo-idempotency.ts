import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type ClaimOutcome, claimMs, type Idempotency } from '#domain/ports/idempotency.ts';
import type { Claim, IdempotencyRecord } from '#domain/ports/schema-store.ts';
import type { ConditionalAction } from './conditional-write.ts';
import type { Dynamo } from './dynamo-client.ts';
import { expiryOf } from './expiry.ts';
import { sendConditional } from './send.ts';

/** Time limit for releasing a claim. A function reserves this time at the end of each request (wiring/request-time.ts). */
const releaseMs = 2000;

const text = v.object({ S: v.string() });

/** The error of a refused claim. It contains the stored claim, in DynamoDB's own notation. */
const refusalSchema = v.object({ Item: v.object({ token: text, fingerprint: text, response: v.optional(text) }) });

/** `Idempotency` in DynamoDB, in the table in which `createDynamoSchemaStore` stores idempotency records. */
export function createDynamoIdempotency(dynamo: Dynamo, table: string): Idempotency {
	return {
		claim: async (claim, fingerprint, now) => {
			const until = now + claimMs;
			const put = new PutCommand({
				TableName: table,
				Item: { key: claim.key, token: claim.token, fingerprint, until, expiresAt: expiryOf(until) },
				ConditionExpression: 'attribute_not_exists(#key) OR #until <= :now',
				ExpressionAttributeNames: { '#key': 'key', '#until': 'until' },
				ExpressionAttributeValues: { ':now': now },
				ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
			});
			const refusal = await sendConditional(dynamo, put);
			return refusal === undefined ? { state: 'claimed' } : outcomeOf(refusal, claim, fingerprint);
		},
		release: async ({ key, token }) => {
			const remove = new DeleteCommand({
				TableName: table,
				Key: { key },
				ConditionExpression: '#token = :token AND attribute_not_exists(#response)',
				ExpressionAttributeNames: { '#token': 'token', '#response': 'response' },
				ExpressionAttributeValues: { ':token': token },
			});
			// Refused when the response is stored already or another request holds the claim: there is nothing to release.
			await sendConditional({ ...dynamo, timeLeftMs: () => releaseMs }, remove);
		},
	};
}

/**
 * Returns the action of a commit that stores the response, on condition that the claim still holds and has no response yet. Then
 * `until` is the time until which the response is kept.
 */
export function recordAction(table: string, { claim, response, keepUntil }: IdempotencyRecord): ConditionalAction<'claim_lost'> {
	const update = {
		TableName: table,
		Key: { key: claim.key },
		UpdateExpression: 'SET #response = :response, #until = :until, #expiresAt = :expiresAt',
		ConditionExpression: '#token = :token AND attribute_not_exists(#response)',
		ExpressionAttributeNames: { '#response': 'response', '#until': 'until', '#expiresAt': 'expiresAt', '#token': 'token' },
		ExpressionAttributeValues: {
			':response': response,
			':until': keepUntil,
			':expiresAt': expiryOf(keepUntil),
			':token': claim.token,
		},
	};
	return { action: { Update: update }, refusal: 'claim_lost' };
}

/** Returns the outcome of a claim that found a stored one: the claim of the client's first request, or an earlier attempt of this claim. */
function outcomeOf(refusal: Error, claim: Claim, fingerprint: string): ClaimOutcome {
	const { Item: stored } = v.parse(refusalSchema, refusal);
	if (stored.token.S === claim.token) return { state: 'claimed' };
	if (stored.fingerprint.S !== fingerprint) return { state: 'other_request' };
	return stored.response === undefined ? { state: 'running' } : { state: 'done', response: stored.response.S };
}
