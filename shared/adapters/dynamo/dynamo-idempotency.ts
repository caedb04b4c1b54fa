import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type ClaimOutcome, claimMs, type Idempotency } from '#domain/ports/idempotency.ts';
import type { Claim } from '#domain/ports/schema-store.ts';
import type { Dynamo } from './dynamo-client.ts';
import { isConditionFailed } from './fault.ts';
import { expiryOf } from './idempotency-record.ts';
import { sendOrFail } from './send.ts';

const text = v.object({ S: v.string() });

/** The error of a claim that met another, with that one's item: in DynamoDB's own notation, which errors keep. */
const metSchema = v.object({ Item: v.object({ token: text, fingerprint: text, response: v.optional(text) }) });

/** `Idempotency` in DynamoDB, in the table in which `createDynamoSchemaStore` keeps receipts. */
export function createDynamoIdempotency(dynamo: Dynamo, table: string): Idempotency {
	return {
		claim: (claim, fingerprint, now) => {
			const until = now + claimMs;
			const input = {
				TableName: table,
				Item: { key: claim.key, token: claim.token, fingerprint, until, expiresAt: expiryOf(until) },
				ConditionExpression: 'attribute_not_exists(#key) OR #until <= :now',
				ExpressionAttributeNames: { '#key': 'key', '#until': 'until' },
				ExpressionAttributeValues: { ':now': now },
				ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
			} as const;
			return sendOrFail(dynamo, async (options): Promise<ClaimOutcome> => {
				try {
					await dynamo.client.send(new PutCommand(input), options);
					return { state: 'claimed' };
				} catch (error) {
					if (!isConditionFailed(error)) throw error;
					return outcomeOf(error, claim, fingerprint);
				}
			});
		},
		release: ({ key, token }) =>
			sendOrFail(dynamo, async (options) => {
				try {
					await dynamo.client.send(
						new DeleteCommand({
							TableName: table,
							Key: { key },
							ConditionExpression: '#token = :token AND attribute_not_exists(#response)',
							ExpressionAttributeNames: { '#token': 'token', '#response': 'response' },
							ExpressionAttributeValues: { ':token': token },
						}),
						options,
					);
				} catch (error) {
					// Its answer is kept already, or another request holds it: nothing to give up.
					if (!isConditionFailed(error)) throw error;
				}
			}),
	};
}

/** What a claim comes to that met another one: the client's first request, or this one's own earlier attempt. */
function outcomeOf(error: unknown, claim: Claim, fingerprint: string): ClaimOutcome {
	const { Item: met } = v.parse(metSchema, error);
	if (met.token.S === claim.token) return { state: 'claimed' };
	if (met.fingerprint.S !== fingerprint) return { state: 'other_request' };
	return met.response === undefined ? { state: 'running' } : { state: 'done', response: met.response.S };
}
