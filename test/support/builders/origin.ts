import type { ChangeOrigin } from '#domain/changes/change-entry.ts';

/** The origin of the changes that tests make. */
export const testOrigin: ChangeOrigin = {
	actor: { kind: 'person', id: 'operator@plant-a.example', name: 'operator@plant-a.example' },
	via: 'api',
	requestId: 'test-request',
};
