import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { claimMs } from '#domain/ports/idempotency.ts';
import { failureWindowMs } from '#domain/ports/sign-in-failures.ts';
import { tables } from '#shared/tables.ts';
import { idempotencyContract } from '#test/contract/idempotency.ts';
import { signInFailuresContract } from '#test/contract/sign-in-failures.ts';
import { usersContract } from '#test/contract/users.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

const now = 1_700_000_000_500;

describeDynamo('on DynamoDB Local', () => {
	idempotencyContract('DynamoDB', () => openAdapters());
	usersContract('DynamoDB', async () => (await openAdapters()).users);
	signInFailuresContract('DynamoDB', async () => (await openAdapters()).failures);

	test('stores the expiry in the TTL attribute of the table, in whole seconds and never too early', async () => {
		const { dynamo, names, idempotency, store, failures } = await openAdapters();
		const expiry = async (table: 'idempotency' | 'signInFailures'): Promise<unknown[]> => {
			const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: names[table] }));
			return Items.map((item) => item[tables[table].ttlAttribute]);
		};
		const claim = { key: 'k', token: 't' };
		await idempotency.claim(claim, 'body', now);
		expect(await expiry('idempotency')).toEqual([(now + 500 + claimMs) / 1000]);
		await store.commit('s', [], { claim, response: '{}', keepUntil: now + 2 * claimMs });
		expect(await expiry('idempotency')).toEqual([(now + 500 + 2 * claimMs) / 1000]);
		await failures.record('a@x', { at: now, source: 's' });
		expect(await expiry('signInFailures')).toEqual([(now + 500 + failureWindowMs) / 1000]);
	});
});
