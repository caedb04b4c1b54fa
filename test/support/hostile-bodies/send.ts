import { randomUUID } from 'node:crypto';
import type { Log } from '#http/log.ts';
import { openService } from '#infra/local/wiring/service.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { endpoints } from '#shared/contract.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { makeEvent } from '../builders/events.ts';
import { hostileBody, shapes, targets } from './shapes.ts';

/** What the program does, as JSON in its argument. */
export interface HostileRun {
	/** What is measured. */
	readonly measures: 'nothing' | 'cpu' | 'memory';
	/** How many of the targets take the bodies, from the first one; by default all. */
	readonly targets?: number;
	/** The CPU that a handler may take: a multiple of parsing, and some milliseconds. A body that takes more runs four times more. */
	readonly budget?: { readonly ratio: number; readonly ms: number };
}

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

/** Most garbage in bytes before a call whose memory is measured. The young generation holds several times that. */
const maxGarbage = 2 ** 25;
let usedWithoutGarbage = memoryInUse();

/** Collects the garbage of other calls. To collect young objects takes 1 ms of CPU, to collect all of them 40 ms. */
const collectGarbage = (measures: HostileRun['measures']): void => {
	if (measures === 'cpu') globalThis.gc?.({ type: 'minor', execution: 'sync' });
	if (measures !== 'memory' || memoryInUse() < usedWithoutGarbage + maxGarbage) return;
	globalThis.gc?.();
	usedWithoutGarbage = memoryInUse();
};

/** Runs a call, and measures it. */
const measure = async <Result>(measures: HostileRun['measures'], work: () => Result | Promise<Result>) => {
	collectGarbage(measures);
	const before = memoryInUse();
	const start = process.cpuUsage();
	const result = await work();
	const { user, system } = process.cpuUsage(start);
	return { result, ms: (user + system) / 1000, bytes: memoryInUse() - before };
};

const parseBytes = (bytes: Uint8Array): unknown => {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		// Many hostile bodies are no JSON. Only what it costs to find that out counts.
		return undefined;
	}
};

const runsAgain = 4;

/** Sends hostile bodies of every shape to handlers, and prints a list of results as JSON. */
const { measures, targets: count = targets.length, budget }: HostileRun = JSON.parse(process.argv[2] ?? '');
const state = await openState('memory');
const settings = readLocalSettings({ STATE_DIR: 'memory' });
const addresses = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', consoleUrl: 'http://localhost:1/console' };
const service = await openService({ settings, state, addresses, log: quiet, now: Date.now });
// An administrator may send a body to every endpoint.
const claims = { schema: 'plant', tsdb: 'plant', email: 'ada@plant.example' };
await service.people.setRole(claims.schema, claims.email, 'administrator', byTool);
const results: HostileResult[] = [];
for (const shape of shapes)
	for (const target of targets.slice(0, count)) {
		const body = hostileBody(target, shape);
		const endpoint = endpoints.find(({ name }) => name === target.endpoint);
		const id = endpoint?.path.endsWith('{id}') === true ? { id: 7 } : {};
		const bytes = Buffer.from(body);
		// With a key that is new each time, a write also hashes the body.
		const handle = () =>
			service.handlers[target.endpoint](
				makeEvent(`POST ${endpoint?.path}`, { body, headers: { 'idempotency-key': randomUUID() }, claims, ...id }),
			);
		const runBoth = async () => {
			const parse = measures === 'nothing' ? { ms: 0, bytes: 0 } : await measure(measures, () => parseBytes(bytes));
			const { result, ms, bytes: allocated } = await measure(measures, handle);
			return { result, handlerMs: ms, parseMs: parse.ms, allocatedBeyond: allocated - parse.bytes };
		};
		const first = await runBoth();
		const runs = [first];
		if (budget !== undefined && first.handlerMs > budget.ratio * first.parseMs + budget.ms)
			for (let run = 0; run < runsAgain; run += 1) runs.push(await runBoth());
		const least = (cost: 'handlerMs' | 'parseMs' | 'allocatedBeyond') => Math.min(...runs.map((run) => run[cost]));
		const { statusCode = 0, body: answer = '' } = first.result;
		results.push({
			target: `${target.endpoint} ${target.field}`,
			shape,
			bytes: bytes.length,
			status: statusCode,
			keys: Object.keys(JSON.parse(answer)).length,
			answerBytes: Buffer.byteLength(answer),
			handlerMs: least('handlerMs'),
			parseMs: least('parseMs'),
			allocatedBeyond: least('allocatedBeyond'),
		});
	}
await service.close();
state.close();
process.stdout.write(JSON.stringify(results));
