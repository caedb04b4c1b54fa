import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { apiDescriptionSuite } from './api-description.ts';
import { docsSuite } from './docs.ts';
import { suites } from './suites.ts';
import type { AlarmTarget } from './target.ts';

describe('end to end on the local service', () => {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-e2e-'));
	let target: AlarmTarget;
	beforeAll(async () => {
		// With a provider that nobody signs in at, so that every endpoint is there.
		const file = join(folder, 'providers.json');
		writeFileSync(file, JSON.stringify([{ name: 'entra', label: 'Entra', issuer: 'http://127.0.0.1:1', clientId: 'caudal' }]));
		target = await openLocalTarget({ OPENID_PROVIDERS: file, DEMO_IDP: 'on' });
	});
	afterAll(async () => {
		await target.close();
		rmSync(folder, { recursive: true });
	});

	for (const suite of [...suites, apiDescriptionSuite, docsSuite]) suite(() => target);
});
