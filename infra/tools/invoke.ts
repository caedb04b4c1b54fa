import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Command } from 'commander';
import * as v from 'valibot';
import type { ApiEvent, ApiResult } from '#http/event.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { createConsoleLog } from '#infra/local/console-log.ts';
import { startDemoIdp } from '#infra/local/demo/idp.ts';
import { createHandlers } from '#infra/local/wiring/handlers.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { createTasks } from '#infra/local/wiring/tasks.ts';
import { ConfigError } from '#shared/config.ts';
import { endpoints, functionNames, tasks } from '#shared/contract.ts';

/** The fields of an HTTP API event (payload format 2.0) that every handler relies on. */
const eventSchema = v.object({
	version: v.literal('2.0'),
	headers: v.record(v.string(), v.string()),
	isBase64Encoded: v.boolean(),
	requestContext: v.object({ requestId: v.string(), routeKey: v.string(), http: v.object({ sourceIp: v.string() }) }),
});

const isEvent = (input: unknown): input is ApiEvent => v.is(eventSchema, input);

/** `npm run invoke -- NAME`: runs one handler on its event. */
const program = new Command('invoke')
	.description(
		'Runs one function’s handler on an event, as Lambda would: an endpoint over the state in STATE_DIR, a task on the service at PORT.',
	)
	.argument('<name>', 'the endpoint or task, such as getVarsTsdb')
	.option('--event <file>', 'another event than events/<name>.json')
	.action(invoke);

await runTool(program);

async function invoke(name: string, options: { event?: string }): Promise<void> {
	const settings = readLocalSettings();
	const task = tasks.find((each) => each.name === name);
	if (task !== undefined) {
		const result = await createTasks(`http://127.0.0.1:${settings.PORT}`, createConsoleLog())[task.name]();
		console.log(JSON.stringify(result, null, 2));
		process.exitCode = result.outcome === 'ok' ? 0 : 1;
		return;
	}
	const endpoint = endpoints.find((each) => each.name === name);
	if (endpoint === undefined)
		throw new ConfigError(`There is no endpoint or task ${name}; there are ${functionNames.join(', ')}.`);
	const file = options.event ?? new URL(`../../events/${endpoint.name}.json`, import.meta.url);
	const event: unknown = JSON.parse(readFileSync(file, 'utf8'));
	if (!isEvent(event)) throw new ConfigError(`${String(file)} is no HTTP API event of payload format 2.0.`);
	const state = await openState(settings.STATE_DIR, false);
	const idp = settings.AUTH_URL === undefined ? await startDemoIdp(settings.IDP_TOKEN) : undefined;
	const addresses = { baseUrl: `http://127.0.0.1:${settings.PORT}`, authUrl: settings.AUTH_URL ?? idp?.url ?? '' };
	const service = await createHandlers(settings, state, addresses, createConsoleLog(), Date.now);
	try {
		const result = await service.handlers[endpoint.name](event);
		const text = bodyOf(result);
		const isJson = result.headers?.['content-type'] === 'application/json';
		const body: unknown = isJson ? JSON.parse(text) : text;
		console.log(JSON.stringify({ statusCode: result.statusCode, headers: result.headers, body }, null, 2));
		process.exitCode = (result.statusCode ?? 200) < 500 ? 0 : 1;
	} finally {
		idp?.close();
		await service.close();
		state.close();
	}
}

function bodyOf({ body, isBase64Encoded, headers }: ApiResult): string {
	const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
	return (headers?.['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
}
