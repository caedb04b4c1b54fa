/** How long DynamoDB may take, and how often it is asked. */
export interface Limits {
	readonly connectTimeoutMs: number;
	/** For one attempt, with its answer's whole body. */
	readonly requestTimeoutMs: number;
	/** For one request with all its attempts and pauses. */
	readonly deadlineMs: number;
	/** For all requests of one call of a port: those that read a whole schema make many. */
	readonly callMs: number;
	readonly maxAttempts: number;
}

export const defaultLimits: Limits = {
	connectTimeoutMs: 1000,
	requestTimeoutMs: 3000,
	deadlineMs: 6000,
	callMs: 20_000,
	maxAttempts: 12,
};
