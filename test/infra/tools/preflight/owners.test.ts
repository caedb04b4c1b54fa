import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { RetriesExhaustedError, storeFailed } from '#adapters/dynamo/send.ts';
import { checkOwners } from '#infra/tools/preflight/checks.ts';

const environment = { name: 'production', protected: true };

describe('checkOwners', () => {
	test('finds nothing missing when every schema with data has an owner', async () => {
		const result = await checkOwners(environment, async () => []);
		expect(result).toEqual({ subject: 'owners of schemas: every schema with data has one', missing: [], notes: [] });
	});

	test('names the command for each schema without an owner in a protected environment', async () => {
		const { subject, missing } = await checkOwners(environment, async () => ['a', 'b']);
		expect(subject).toBe('owners of schemas: a, b without');
		expect(missing).toEqual([
			expect.stringContaining('npm run schema -- owner --schema a --set CLIENT --env production'),
			expect.stringContaining('npm run schema -- owner --schema b --set CLIENT --env production'),
		]);
	});

	test('only notes them in an environment that is not protected, where the first client becomes the owner', async () => {
		const { missing, notes } = await checkOwners({ name: 'dev', protected: false }, async () => ['a']);
		expect([missing, notes]).toEqual([[], ['a will belong to the first client that signs in with it.']]);
	});

	test('reports tables that are not deployed yet or cannot be read, and passes other errors on', async () => {
		const failing = (error: Error) => checkOwners(environment, () => Promise.reject(error));
		const refused = (cause: Error) => storeFailed(new RetriesExhaustedError({ fault: 'refused', uncertain: false }, cause));
		const notFound = new ResourceNotFoundException({ message: 'Requested resource not found', $metadata: {} });
		expect(await failing(refused(notFound))).toEqual({
			subject: 'owners of schemas: not known before the tables are deployed',
			missing: [],
		});
		const denied = Object.assign(new Error('not authorized to perform: dynamodb:Scan'), { name: 'AccessDeniedException' });
		expect(await failing(refused(denied))).toEqual({
			subject: 'owners of schemas: not read',
			missing: [],
			notes: ['These credentials may not do that: not authorized to perform: dynamodb:Scan'],
		});
		await expect(failing(new Error('a bug'))).rejects.toThrow('a bug');
	});
});
