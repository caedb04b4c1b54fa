import type { Change, ChangeEntry, ChangeOrigin, ReplacedItem } from '../changes/change-entry.ts';
import type { GrantAddress, StoredGrant } from '../ports/grants.ts';
import { changedFields } from '../transaction/row-change.ts';
import { type Grant, grantText } from './grants.ts';
import type { Digest } from './subject.ts';

/** A grant before and after a change. `rowVersion` counts its changes. */
export interface GrantVersions {
	/** Null: the grant is new. */
	readonly before: StoredGrant | null;
	/** Null: it is removed. */
	readonly after: Grant | null;
	/** The last row version that the journal tells of; 0: of none. A grant that is added again goes on from there. */
	readonly lastVersion: number;
}

/** Returns the id under which the journal of its schema holds a grant. */
export function grantItemId(digest: Digest, grant: Pick<Grant, 'provider' | 'schema' | 'database' | 'where'>): string {
	return `${grant.provider}:${digest(grantText(grant))}`;
}

/** Returns the address of a grant under the id of which the journal holds it. */
export function grantAddressOf(itemId: string): GrantAddress {
	const [provider = '', key = ''] = itemId.split(':');
	return { provider, key };
}

/** Returns a stored grant as the journal tells it. */
export function contentOfGrant({ grant, rowVersion }: StoredGrant): ReplacedItem {
	return { version: rowVersion, content: contentOf(grant) };
}

/** Returns whom a grant lets in, for operators and administrators: `entra: groups=plant-a-ops, hd=plant.example`. */
export function grantWords({ provider, where }: Pick<Grant, 'provider' | 'where'>): string {
	return `${provider}: ${Object.entries(where)
		.map(([claim, value]) => `${claim}=${value}`)
		.join(', ')}`;
}

/**
 * Returns the entry of the journal of changes for a grant that was added, changed or removed.
 * @param at epoch milliseconds
 */
export function grantChange(
	digest: Digest,
	{ before, after, lastVersion }: GrantVersions,
	origin: ChangeOrigin,
	at: number,
): Change {
	const newest = after ?? before?.grant;
	if (newest === undefined) throw new RangeError('A grant that is neither stored nor saved does not change.');
	// A grant has one number only: each change of it is a save, so its version is its row version, too.
	const version = Math.max(lastVersion, before?.rowVersion ?? 0) + 1;
	return {
		entry: {
			kind: 'grant',
			itemId: grantItemId(digest, newest),
			rowVersion: version,
			...origin,
			at,
			action: actionOf({ before, after }),
			name: grantWords(newest),
			version,
			replaced: before?.rowVersion ?? null,
			fields: before === null || after === null ? [] : changedFields(contentOf(before.grant), contentOf(after)),
		},
		before: before === null ? null : contentOfGrant(before),
	};
}

/** Returns a grant as JSON for the journal of its schema. Its owner is that of the schema. */
function contentOf({ provider, where, database, role }: Grant): Record<string, unknown> {
	return { provider, where, database, role };
}

function actionOf({ before, after }: Pick<GrantVersions, 'before' | 'after'>): ChangeEntry['action'] {
	if (before === null) return 'created';
	return after === null ? 'deleted' : 'changed';
}
