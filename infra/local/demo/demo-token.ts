import * as v from 'valibot';
import { pathOf } from '#shared/contract.ts';
import { demoCredentials } from './idp.ts';

const sessionSchema = v.object({ token: v.string() });

/** Signs in over HTTP as the operator of plant_a. Returns null when the answer holds no token, such as a refusal or a page of a proxy. */
export async function demoToken(baseUrl: string): Promise<string | null> {
	const response = await fetch(`${baseUrl}${pathOf('loginSso')}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(demoCredentials),
	});
	const session = v.safeParse(sessionSchema, await response.json().catch(() => null));
	return session.success ? session.output.token : null;
}
