import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type AlarmTarget, call, signIn, tenants } from '#test/e2e/target.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { runProgram } from '#test/support/process.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

/** A tenant of a service, as somebody with a machine's credentials sees it. */
export interface PlantTenant {
	/** The environment of a machine with the role engineer. */
	readonly machine: Readonly<Record<string, string>>;
	/** An administrator's token. */
	readonly token: string;
}

/** What a run of the tool came to. */
export interface ToolRun {
	readonly code: number | string;
	/** Both streams. */
	readonly text: string;
	readonly stdout: string;
}

/** A local service with two tenants, and a folder for files of plants. */
export interface PlantService {
	readonly target: AlarmTarget;
	readonly a: PlantTenant;
	readonly b: PlantTenant;
	/** Makes a machine of a tenant, and returns its environment. */
	readonly machineOf: (token: string, role: string) => Promise<Readonly<Record<string, string>>>;
	/** Runs the tool as its npm script does, in a process of its own. */
	readonly plant: (args: readonly string[], environment: Readonly<Record<string, string>>) => Promise<ToolRun>;
	readonly path: (name: string) => string;
	readonly write: (name: string, content: unknown) => string;
	readonly read: (name: string) => string;
	readonly close: () => Promise<void>;
}

/** The file that starts the tool. */
export const plantProgram = 'infra/tools/plant/plant.ts';

/** Opens a local service on a free port. */
export const openPlantService = async (): Promise<PlantService> => {
	const target = await openLocalTarget();
	const folder = mkdtempSync(join(tmpdir(), 'caudal-'));
	const path = (name: string): string => join(folder, name);
	const machineOf = async (token: string, role: string) => {
		const { body } = await call(target, 'POST', '/saveMachine', { token, body: { name: `pipeline ${role}`, role } });
		return { CAUDAL_CLIENT_ID: body.data.clientId as string, CAUDAL_CLIENT_SECRET: body.data.secret as string };
	};
	const tenant = async (name: keyof typeof tenants): Promise<PlantTenant> => {
		await target.people.setRole(tenants[name].schemaName, tenants[name].email, 'administrator', byTool);
		const token = await signIn(target, name);
		return { token, machine: await machineOf(token, 'engineer') };
	};
	return {
		target,
		a: await tenant('a'),
		b: await tenant('b'),
		machineOf,
		plant: async (args, environment) => {
			const program = runProgram(plantProgram, [...args], environment);
			const code = await program.ended;
			return { code, text: program.output(), stdout: program.printed() };
		},
		path,
		write: (name, content) => {
			const isWritten = typeof content === 'string' || Buffer.isBuffer(content);
			writeFileSync(path(name), isWritten ? content : JSON.stringify(content));
			return path(name);
		},
		read: (name) => readFileSync(path(name), 'utf8'),
		close: async () => {
			await target.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
};

/** An address that forwards every request to a service. */
export interface Forwarder {
	readonly baseUrl: string;
	readonly close: () => Promise<void>;
}

/** Opens a forwarder. `before` runs before each request is forwarded. */
export const openForwarder = async (baseUrl: string, before: (request: { method: string; path: string }) => Promise<void>) => {
	const server = createServer(async (request, response) => {
		const [body, method, path] = [await text(request), request.method ?? '', request.url ?? ''];
		await before({ method, path });
		const headers = Object.fromEntries(
			Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
		) as Record<string, string>;
		const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...(body === '' ? {} : { body }) });
		const sent = await answer.text();
		response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
		response.end(sent);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const forwarder: Forwarder = {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			server.closeAllConnections();
			server.close();
		},
	};
	return forwarder;
};

const query = (topic: string) => ({
	calc_topic: topic,
	calc_field: 'value',
	calc_time: 1,
	calc_unit: 'h',
	calc_period: 1,
	calc_unit_period: 'm',
	calc_type_period: 'last',
});

/** A variable of a file that reads one topic. */
export const plantVariable = (name: string, topic: string, unit = 'm') => ({
	name,
	unit,
	type: 'last',
	process: 'wells',
	calc: false,
	binary_compressed: false,
	varsTsdb: { [name]: query(topic) },
});

/** An alarm of a file. */
export const plantAlarm = (name: string, variable: string) => ({
	name,
	variable,
	condition: '>',
	threshold: 10,
	severity: 'warning',
	message: 'Too high.',
});
