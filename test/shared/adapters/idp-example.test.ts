import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createIdpClient } from '#adapters/idp-client.ts';
import { staticSecret } from '#adapters/secret.ts';
import { freePort } from '#test/support/servers/managed-server.ts';

const page = new URL('../../../shared/domain/use-cases/IDENTITY-PROVIDER.md', import.meta.url);

/** Runs the example of the page on a free port. */
async function runExample(): Promise<string> {
	const [, source = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
	expect(source.split('\n').length).toBeLessThanOrEqual(31);
	const folder = mkdtempSync(join(tmpdir(), 'idp-'));
	const file = join(folder, 'idp.mjs');
	writeFileSync(file, source);
	const port = await freePort();
	const child = spawn(process.execPath, [file], { env: { PORT: String(port), TOKEN: 'change-me' }, stdio: 'inherit' });
	onTestFinished(() => {
		child.kill();
		rmSync(folder, { recursive: true });
	});
	const url = `http://127.0.0.1:${port}`;
	while (!(await fetch(url).catch(() => null))) await setTimeout(20);
	return url;
}

test('the example of the page is a provider as the service asks it', async () => {
	const url = await runExample();
	const client = createIdpClient({ url, token: staticSecret('change-me'), timeoutMs: 2000 });
	expect(await client.getUser(7)).toEqual({ email: 'ada@plant.example', token_apps: 's3cret' });
	expect(await client.getUser(0)).toBeNull();
	expect(await client.getSchemaProduct(3, 1)).toEqual([
		{ schema_name: 'plant_a', tsdb_name: 'plant_a', product_id: 1, client_id: 3 },
	]);
	expect(await client.getSchemaProduct(0, 1)).toEqual([]);
	expect(await client.listProductxUserxClient(7, 3)).toEqual([{ id_product: 1 }]);
	expect(await client.listProductxUserxClient(7, 4)).toEqual([]);
	const stranger = createIdpClient({ url, token: staticSecret('another'), timeoutMs: 2000 });
	await expect(stranger.getUser(7)).rejects.toThrow('dependency_failed');
});
