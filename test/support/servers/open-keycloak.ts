import pc from 'picocolors';
import * as v from 'valibot';
import { inject } from 'vitest';
import { type Keycloak, keycloakAt } from './keycloak.ts';

/** The time limit of a hook that opens Keycloak, in milliseconds. */
export const openKeycloakMs = 300_000;

const answerSchema = v.union([v.object({ url: v.string() }), v.object({ unavailable: v.string() })]);

/** Returns the Keycloak of this run, which the first call starts. Null: this machine cannot install it, and tests that need it are skipped. */
export async function openKeycloak(): Promise<Keycloak | null> {
	const response = await fetch(inject('keycloakStarter'), { signal: AbortSignal.timeout(openKeycloakMs) });
	if (!response.ok) throw new Error(await response.text());
	const answer = v.parse(answerSchema, await response.json());
	if ('url' in answer) return keycloakAt(answer.url);
	console.error(pc.bold(pc.red(`\nTESTS ON KEYCLOAK ARE SKIPPED: ${answer.unavailable}.\n`)));
	return null;
}
