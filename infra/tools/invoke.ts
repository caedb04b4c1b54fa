import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Command } from 'commander';
import * as v from 'valibot';
import type { ApiEvent, ApiHandler, ApiResult } from '#http/event.ts';
import type { TaskHandler } from '#http/task-handler.ts';
import { printLines } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { createConsoleLog } from '#infra/local/console-log.ts';
import { startDemoIdp } from '#infra/local/demo/idp.ts';
import { openService } from '#infra/local/wiring/service.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { ConfigError } from '#shared/config.ts';
import { endpoints, functionNames, pathOf } from '#shared/contract.ts';
import { tasks } from '#shared/tasks.ts';

/** The fields of an HTTP API event (payload format 2.0) that every handler relies on. */
const eventSchema = v.object({
	version: v.literal('2.0'),
	headers: v.record(v.string(), v.string()),
	isBase64Encoded: v.boolean(),
	requestContext: v.object({ requestId: v.string(), routeKey: v.string(), http: v.object({ sourceIp: v.string() }) }),
});

/** The part of an event's authorizer that this tool changes. */
const authorizerSchema = v.object({ jwt: v.looseObject({ claims: v.record(v.string(), v.string()) }) });

/** The status that the gateway sends where a result has none. */
const defaultStatus = 200;

const isEvent = (input: unknown): input is ApiEvent => v.is(eventSchema, input);

/** `npm run invoke -- NAME…`: runs handlers on their events, one after the other. */
const program = new Command('invoke')
	.description(
		'Runs functions’ handlers on events, as Lambda would: over the state in STATE_DIR; the canary uses the service at PORT.',
	)
	.argument('<names...>', 'the endpoints or tasks, such as getVarsTsdb')
	.option('--event <file>', 'another event than events/<name>.json, for one name')
	.action(invoke);

await runTool(program);

async function invoke(names: readonly string[], options: { event?: string }): Promise<void> {
	const settings = readLocalSettings();
	if (options.event !== undefined && names.length > 1)
		throw new ConfigError('--event is the event of one function: give one name.');
	const chosenFunctions = names.map((name) => {
		const endpoint = endpoints.find((each) => each.name === name);
		const task = tasks.find((each) => each.name === name);
		if (endpoint === undefined && task === undefined)
			throw new ConfigError(`There is no endpoint or task ${name}; there are ${functionNames.join(', ')}.`);
		return { endpoint, task, file: options.event ?? new URL(`../../events/${name}.json`, import.meta.url) };
	});
	const state = await openState(settings.STATE_DIR);
	const idp =
		settings.AUTH_URL === undefined ? await startDemoIdp(settings.IDP_TOKEN) : { url: settings.AUTH_URL, close: () => undefined };
	const consoleUrl = `http://localhost:${settings.PORT}${pathOf('console')}`;
	const addresses = { baseUrl: `http://127.0.0.1:${settings.PORT}`, authUrl: idp.url, consoleUrl };
	const service = await openService({ settings, state, addresses, log: createConsoleLog(), now: Date.now });
	try {
		for (const { endpoint, task, file } of chosenFunctions) {
			const event: unknown = JSON.parse(readFileSync(file, 'utf8'));
			if (endpoint !== undefined) await invokeEndpoint(service.handlers[endpoint.name], event, file);
			else if (task !== undefined) await invokeTask(service.tasks[task.name], event);
		}
	} finally {
		idp.close();
		await service.close();
		state.close();
	}
}

/** @throws ConfigError when the event does not have the form of an event of the gateway */
async function invokeEndpoint(handler: ApiHandler, event: unknown, file: string | URL): Promise<void> {
	if (!isEvent(event)) throw new ConfigError(`${String(file)} is no HTTP API event of payload format 2.0.`);
	const result = await handler(withSessionOfNow(event));
	const text = bodyOf(result);
	const isJson = result.headers?.['content-type'] === 'application/json';
	const body: unknown = isJson ? JSON.parse(text) : text;
	printLines(JSON.stringify({ statusCode: result.statusCode, headers: result.headers, body }, null, 2));
	const { statusCode = defaultStatus } = result;
	if (statusCode >= 500) process.exitCode = 1;
}

/** Lets the session of an event's token begin now: a file cannot know when it is used. */
function withSessionOfNow(event: ApiEvent): ApiEvent {
	const authorizer = v.safeParse(authorizerSchema, event.requestContext.authorizer);
	if (!authorizer.success) return event;
	const { jwt } = authorizer.output;
	const claims = { ...jwt.claims, auth_time: String(Math.floor(Date.now() / 1000)) };
	return { ...event, requestContext: { ...event.requestContext, authorizer: { jwt: { ...jwt, claims } } } };
}

async function invokeTask(handler: TaskHandler, event: unknown): Promise<void> {
	const result = await handler(event);
	printLines(JSON.stringify(result, null, 2));
	if (result.outcome !== 'ok') process.exitCode = 1;
}

/** Returns the body as the client reads it, decoded and decompressed. */
function bodyOf({ body, isBase64Encoded, headers }: ApiResult): string {
	const bytes = Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8');
	return (headers?.['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
}
