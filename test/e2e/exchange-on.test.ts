import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { machinesSuite } from './machines.ts';
import type { AlarmTarget } from './target.ts';

describe('where tokens of a provider are exchanged, machines sign in as ever', () => {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-exchange-'));
	let target: AlarmTarget;
	beforeAll(async () => {
		const file = join(folder, 'providers.json');
		const portal = { name: 'portal', label: 'Portal', issuer: 'http://127.0.0.1:1', audiences: ['urn:caudal'] };
		writeFileSync(file, JSON.stringify([portal]));
		target = await openLocalTarget({ OPENID_PROVIDERS: file, DEMO_IDP: 'on' });
	});
	afterAll(async () => {
		await target.close();
		rmSync(folder, { recursive: true });
	});

	machinesSuite(() => target);
});
