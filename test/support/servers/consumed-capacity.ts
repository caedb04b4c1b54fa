import type { Dynamo } from '#adapters/dynamo/dynamo-client.ts';

/** Number of requests, and the capacity units that DynamoDB counted for them, reads and writes together. */
export interface Consumed {
	requests: number;
	units: number;
}

/** Returns the capacity that `work` consumed, as DynamoDB reports it with each response. A refused write reports none. */
export async function consumedBy({ client }: Dynamo, work: () => Promise<unknown>): Promise<Consumed> {
	const consumed = { requests: 0, units: 0 };
	const name = 'count capacity';
	client.middlewareStack.add(
		(next) => async (args) => {
			Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
			consumed.requests += 1;
			const result = await next(args);
			const { ConsumedCapacity: capacity } = result.output as { ConsumedCapacity?: unknown };
			for (const each of [capacity].flat())
				consumed.units += (each as { CapacityUnits?: number } | undefined)?.CapacityUnits ?? 0;
			return result;
		},
		{ step: 'initialize', name },
	);
	try {
		await work();
	} finally {
		client.middlewareStack.remove(name);
	}
	return consumed;
}
