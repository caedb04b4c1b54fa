import type { KeyedMachine } from '#domain/access/machine.ts';

/** In the future: DynamoDB deletes expired items by its own clock. */
const base = Date.UTC(2100, 0, 1);

/** Builds a machine with one secret. */
export const makeMachine = (fields: Partial<KeyedMachine> = {}): KeyedMachine => ({
	clientId: 'abcdefghij0123456789',
	schema: 's',
	database: 'd',
	owner: 7,
	name: 'grafana',
	role: 'viewer',
	expiresAt: base + 86_400_000,
	createdBy: 'ada@plant.example',
	createdAt: base,
	lastUsedAt: null,
	secrets: [{ id: 'one', createdAt: base }],
	version: 1,
	hashes: { one: 'hash of one' },
	...fields,
});
