import { afterAll, beforeAll, describe } from 'vitest';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { apiDescriptionSuite } from './api-description.ts';
import { docsSuite } from './docs.ts';
import { suites } from './suites.ts';
import type { AlarmTarget } from './target.ts';

describe('end to end on the local service', () => {
	let target: AlarmTarget;
	beforeAll(async () => {
		target = await openLocalTarget();
	});
	afterAll(() => target.close());

	for (const suite of [...suites, apiDescriptionSuite, docsSuite]) suite(() => target);
});
