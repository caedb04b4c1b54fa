import pc from 'picocolors';
import * as v from 'valibot';
import { plantA } from './demo/idp.ts';
import { type LocalSettings, memoryState } from './wiring/settings.ts';

const tokenSchema = v.object({ token: v.string() });

/** What `npm start` prints: where everything is, a token, and a line that shows a reading. */
export async function banner(baseUrl: string, settings: LocalSettings): Promise<string> {
	const token = settings.AUTH_URL === undefined ? await demoToken(baseUrl) : null;
	const kept = settings.STATE_DIR === memoryState ? 'in memory: gone when this stops' : settings.STATE_DIR;
	const lines = [
		'',
		`${pc.bold('Caudal')} is running on ${pc.cyan(baseUrl)}`,
		'',
		`  API                ${baseUrl}`,
		`  identity provider  ${settings.AUTH_URL ?? `${baseUrl}/idp  (demo)`}`,
		`  series write API   ${baseUrl}/api/v2/write  (token ${settings.WRITE_TOKEN})`,
		`  state              ${kept}`,
		'',
	];
	if (token === null) lines.push(`Sign in with POST ${baseUrl}/loginSso (README.md, "A first reading").`);
	else
		lines.push(
			`A token of ${plantA.email}, schema ${plantA.schema}, for ${Math.round(settings.TOKEN_LIFETIME_SECONDS / 60)} minutes:`,
			'',
			pc.dim(token),
			'',
			'Paste this into another terminal: what the plant shows now.',
			'',
			`curl -s -X POST ${baseUrl}/multipleDataTsdb -H 'Content-Type: application/json' -d '{"ids":[1,2,3]}' -H 'Authorization: Bearer ${token}'`,
		);
	return [...lines, '', `${pc.dim('Stop with Ctrl+C.')}`, ''].join('\n');
}

/** Signs in over HTTP as the demo's first operator; null where this service has another identity provider. */
async function demoToken(baseUrl: string): Promise<string | null> {
	const { email, tokenApps, schema, database } = plantA;
	const response = await fetch(`${baseUrl}/loginSso`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ email, tokenApp: tokenApps, schemaName: schema, tsdb_name: database }),
	});
	const result = v.safeParse(tokenSchema, await response.json());
	return result.success ? result.output.token : null;
}
