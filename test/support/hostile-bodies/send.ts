import { randomUUID } from 'node:crypto';
import type { Log } from '#http/log.ts';
import { openService } from '#infra/local/wiring/service.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { endpoints } from '#shared/contract.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { makeEvent } from '../builders/events.ts';
import { hostileBody, shapes, targets } from './shapes.ts';

/** What a handler answered to one hostile body, and what that cost. */
export interface HostileResult {
	readonly target: string;
	readonly shape: string;
	readonly bytes: number;
	readonly status: number;
	readonly keys: number;
	readonly answerBytes: number;
	/** CPU of the process in milliseconds, the least of all runs: of the handler, and of JSON.parse of the same bytes. */
	readonly handlerMs: number;
	readonly parseMs: number;
	/** What the handler allocates beyond JSON.parse of the same bytes, in bytes. It never needs more at one moment. */
	readonly allocatedBeyond: number;
}

const quiet: Log = { info: () => undefined, error: () => undefined, request: () => undefined };

const memoryInUse = (): number => {
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
};

/** Measures one call after a garbage collection, so that it does not pay for the garbage of others. */
const measure = async (work: () => unknown): Promise<{ readonly ms: number; readonly bytes: number }> => {
	globalThis.gc?.();
	const before = memoryInUse();
	const start = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(start);
	return { ms: (user + system) / 1000, bytes: memoryInUse() - before };
};

const parseBytes = (bytes: Uint8Array): unknown => {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		// Many hostile bodies are no JSON. Only what it costs to find that out counts.
		return undefined;
	}
};

/** Sends every hostile body to its handler, as often as the argument says, and prints a list of results as JSON. */
const runs = Number(process.argv[2]);
const state = await openState('memory');
const settings = readLocalSettings({ STATE_DIR: 'memory' });
const addresses = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' };
const service = await openService({ settings, state, addresses, log: quiet, now: Date.now });
// An administrator may send a body to every endpoint.
const claims = { schema: 'plant', tsdb: 'plant', email: 'ada@plant.example' };
await service.people.setRole(claims.schema, claims.email, 'administrator', byTool);
const results: HostileResult[] = [];
for (const target of targets)
	for (const shape of shapes) {
		const body = hostileBody(target, shape);
		const endpoint = endpoints.find(({ name }) => name === target.endpoint);
		const id = endpoint?.path.endsWith('{id}') === true ? { id: 7 } : {};
		const bytes = Buffer.from(body);
		// With a key that is new each time, a write also hashes the body.
		const handle = () =>
			service.handlers[target.endpoint](
				makeEvent(`POST ${endpoint?.path}`, { body, headers: { 'idempotency-key': randomUUID() }, claims, ...id }),
			);
		const { statusCode = 0, body: answer = '' } = await handle();
		const cost = { handler: Number.POSITIVE_INFINITY, parse: Number.POSITIVE_INFINITY, beyond: Number.POSITIVE_INFINITY };
		for (let run = 0; run < runs; run += 1) {
			const parse = await measure(() => parseBytes(bytes));
			const handler = await measure(handle);
			cost.parse = Math.min(cost.parse, parse.ms);
			cost.handler = Math.min(cost.handler, handler.ms);
			cost.beyond = Math.min(cost.beyond, handler.bytes - parse.bytes);
		}
		results.push({
			target: `${target.endpoint} ${target.field}`,
			shape,
			bytes: bytes.length,
			status: statusCode,
			keys: Object.keys(JSON.parse(answer)).length,
			answerBytes: Buffer.byteLength(answer),
			handlerMs: cost.handler,
			parseMs: cost.parse,
			allocatedBeyond: cost.beyond,
		});
	}
await service.close();
state.close();
process.stdout.write(JSON.stringify(results));
