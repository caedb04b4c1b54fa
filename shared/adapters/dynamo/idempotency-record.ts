import type { IdempotencyRecord } from '#domain/ports/schema-store.ts';

/** When DynamoDB may delete an item, in epoch seconds. It does so late: what has expired is told by the times that are stored. */
export function expiryOf(atMs: number): number {
	return Math.ceil(atMs / 1000);
}

/** The part of a commit that keeps a receipt's answer, on condition that its claim still holds and has no answer yet. */
export function idempotencyRecordUpdate(table: string, { claim, response, keepUntil }: IdempotencyRecord) {
	return {
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
}
