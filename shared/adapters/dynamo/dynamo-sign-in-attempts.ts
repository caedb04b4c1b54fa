import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
	type AttemptScope,
	attemptWindowMs,
	type CountedAttempt,
	knownSourceMs,
	type SignInAttempts,
} from '#domain/ports/sign-in-attempts.ts';
import type { Dynamo } from './dynamo-client.ts';
import { expiryOf } from './expiry.ts';
import type { ItemAddress } from './items.ts';
import { getItem } from './read-items.ts';
import { sendConditional, sendOrFail } from './send.ts';

/** The error of an attempt that found its limit reached. Errors hold the stored item in DynamoDB's own notation. */
const refusalSchema = v.object({ Item: v.object({ attempts: v.object({ SS: v.array(v.string()) }) }) });

const knownSchema = v.fallback(v.object({ at: v.number() }), { at: Number.NEGATIVE_INFINITY });

/**
 * `SignInAttempts` in DynamoDB. One item for each scope holds a set with the time and id of each attempt. An attempt is added only while
 * the set is small enough. DynamoDB checks and changes the set in one step.
 */
export function createDynamoSignInAttempts(dynamo: Dynamo, table: string): SignInAttempts {
	const names = { '#attempts': 'attempts' };
	const remove = (scope: AttemptScope, elements: readonly string[]) => {
		const update = new UpdateCommand({
			...scopeAddress(table, scope),
			UpdateExpression: 'DELETE #attempts :elements',
			// An update of an item that expired meanwhile would create it again, without an expiry.
			ConditionExpression: 'attribute_exists(#attempts)',
			ExpressionAttributeNames: names,
			ExpressionAttributeValues: { ':elements': new Set(elements) },
		});
		return sendConditional(dynamo, update);
	};
	return {
		count: async (scope, attempt, limit) => {
			const element = elementOf(attempt);
			const oldest = attempt.at - attemptWindowMs;
			const update = new UpdateCommand({
				...scopeAddress(table, scope),
				UpdateExpression: 'ADD #attempts :elements SET #expiresAt = :expiresAt',
				ConditionExpression: 'attribute_not_exists(#attempts) OR size(#attempts) < :limit',
				ExpressionAttributeNames: { ...names, '#expiresAt': 'expiresAt' },
				ExpressionAttributeValues: {
					':elements': new Set([element]),
					':limit': limit,
					':expiresAt': expiryOf(attempt.at + attemptWindowMs),
				},
				ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
			});
			// Each round removes attempts that left the window, so the loop ends.
			for (;;) {
				const refusal = await sendConditional(dynamo, update);
				if (refusal === undefined) return [];
				const stored = v.parse(refusalSchema, refusal).Item.attempts.SS;
				// A repeated request whose first response was lost finds its own attempt.
				if (stored.includes(element)) return [];
				const expired = stored.filter((each) => timeOf(each) <= oldest);
				if (expired.length === 0) return stored.map(timeOf).sort((a, b) => b - a);
				await remove(scope, expired);
			}
		},
		withdraw: async (scope, attempt) => {
			await remove(scope, [elementOf(attempt)]);
		},
		remember: async (email, source, at) => {
			const Item = { ...knownKey(email, source), at, expiresAt: expiryOf(at + knownSourceMs) };
			await sendOrFail(dynamo, new PutCommand({ TableName: table, Item }));
		},
		isKnown: async (email, source, now) => {
			const item = await getItem(dynamo, { TableName: table, Key: knownKey(email, source) });
			return v.parse(knownSchema, item).at > now - knownSourceMs;
		},
	};
}

/** Returns the address of a scope. ALL is never an e-mail, because e-mails are stored in lower case. */
function scopeAddress(TableName: string, { email, source }: AttemptScope): ItemAddress {
	return { TableName, Key: { email: email ?? 'ALL', key: source === null ? 'ALL' : `SOURCE#${source}` } };
}

const knownKey = (email: string, source: string) => ({ email, key: `KNOWN#${source}` });

/** Returns an attempt as an element of the set: its time and id. */
const elementOf = ({ at, id }: CountedAttempt): string => `${at}#${id}`;

const timeOf = (element: string): number => Number.parseInt(element, 10);
