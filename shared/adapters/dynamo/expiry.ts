/**
 * Returns the value of a TTL attribute for a time in epoch milliseconds: epoch seconds, rounded up. DynamoDB deletes expired items
 * late, so reads compare the stored times as well.
 */
export function expiryOf(atMs: number): number {
	return Math.ceil(atMs / 1000);
}
