import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type AwsSettings, type ClientLimits, clientSettings } from '../aws/aws-client.ts';

/** The timeouts and attempts of requests to DynamoDB. */
export interface DynamoLimits extends ClientLimits {
	/** Time limit of one attempt, including the body of the response. */
	readonly requestTimeoutMs: number;
	/** Time limit of one request with all its attempts and pauses. */
	readonly deadlineMs: number;
	/** Time limit of one call of a port with all its requests. Reading a whole schema takes many. */
	readonly callMs: number;
}

/** How to reach DynamoDB, and limits that replace the default ones. On Lambda every field may be left out. */
export interface DynamoSettings extends AwsSettings {
	readonly limits?: Partial<DynamoLimits>;
	/** Returns how long requests may still take; by default without limit. No request is started when it is 0 or less. */
	readonly timeLeftMs?: () => number;
}

/** A DynamoDB client with its limits. */
export interface Dynamo {
	readonly client: DynamoDBDocumentClient;
	readonly limits: DynamoLimits;
	readonly timeLeftMs: () => number;
	/** Closes the connections. */
	close(): void;
}

const defaultLimits: DynamoLimits = {
	connectTimeoutMs: 1000,
	requestTimeoutMs: 3000,
	deadlineMs: 6000,
	callMs: 20_000,
	maxAttempts: 12,
};

/** Opens a client of DynamoDB. The SDK makes one attempt only: send.ts repeats requests, because it knows which faults allow it. */
export function openDynamo({
	limits: overrides,
	timeLeftMs = () => Number.POSITIVE_INFINITY,
	...settings
}: DynamoSettings = {}): Dynamo {
	const limits = { ...defaultLimits, ...overrides };
	const base = new DynamoDBClient(clientSettings(settings, { ...limits, maxAttempts: 1 }));
	return { client: DynamoDBDocumentClient.from(base), limits, timeLeftMs, close: () => base.destroy() };
}
