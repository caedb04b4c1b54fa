import type { TestProject } from 'vitest/node';
import { listen } from './http-server.ts';
import { startKeycloak } from './keycloak.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The address that starts Keycloak, and answers where it runs: `openKeycloak` asks it. */
		readonly keycloakStarter: string;
	}
}

/** Starts Keycloak for the first test that asks for it: all files of a run share it, in whatever project they are. Vitest calls it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
	let started: ReturnType<typeof startKeycloak> | undefined;
	const { url, close } = await listen((_, response) => {
		started ??= startKeycloak();
		started.then(
			(keycloak) => response.end(JSON.stringify(keycloak)),
			(error: unknown) => response.writeHead(500).end(String(error)),
		);
	});
	project.provide('keycloakStarter', url);
	return async () => {
		close();
		const keycloak = await started?.catch(() => undefined);
		if (keycloak !== undefined && 'stop' in keycloak) await keycloak.stop();
	};
}
