import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from '#test/support/servers/install-once.ts';
import { installPython } from '#test/support/servers/python-packages.ts';
import { runOrFail } from './run.ts';

const sources = join(import.meta.dirname, '../../e2e/oauth-clients');

/** A command that signs a machine in with an OAuth library. It takes the address of the service, client id, secret, and basic or form. */
export type OauthProgram = readonly string[];

/** Returns the program in Python (requests-oauthlib). The first run installs the library. */
export async function pythonOauthProgram(): Promise<OauthProgram> {
	return [await installPython('requests-oauthlib-2.0.0', ['requests-oauthlib==2.0.0']), join(sources, 'sign_in.py')];
}

/** Returns the program in Go (golang.org/x/oauth2). The first run builds it. */
export async function goOauthProgram(): Promise<OauthProgram> {
	const hash = createHash('sha256');
	for (const name of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(sources, name)));
	const folder = await installOnce(`go-oauth-${hash.digest('hex').slice(0, 12)}`, async (temporary) => {
		cpSync(sources, temporary, { recursive: true });
		await runOrFail('go', ['build', '-o', 'oauth', '.'], { cwd: temporary, environment: { GOFLAGS: '-mod=readonly' } });
	});
	return [join(folder, 'oauth')];
}
