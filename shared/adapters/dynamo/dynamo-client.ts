import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { defaultLimits, type Limits } from './limits.ts';

/** Where DynamoDB is. Nothing is required on Lambda, whose environment says it all. */
export interface DynamoSettings {
	/** Address of an emulator, instead of the region's own. */
	readonly endpoint?: string;
	readonly region?: string;
	readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
	readonly limits?: Partial<Limits>;
}

/** DynamoDB, and how long to wait for it. */
export interface Dynamo {
	readonly client: DynamoDBDocumentClient;
	readonly limits: Limits;
	/** Closes the connections. */
	close(): void;
}

/**
 * Opens DynamoDB. The SDK sends each request once and sets no timeout of its own accord: repeating is `sendWithRetry`'s, which knows
 * what a failure tells, and the timeouts are here.
 */
export function openDynamo({ limits: given, ...settings }: DynamoSettings = {}): Dynamo {
	const limits = { ...defaultLimits, ...given };
	const base = new DynamoDBClient({
		...settings,
		maxAttempts: 1,
		requestHandler: {
			connectionTimeout: limits.connectTimeoutMs,
			requestTimeout: limits.requestTimeoutMs,
			// Without it a timeout is a line in the log, and nothing else.
			throwOnRequestTimeout: true,
		},
	});
	return { client: DynamoDBDocumentClient.from(base), limits, close: () => base.destroy() };
}
