import { createSsmPublicKeys } from '#adapters/aws/ssm-key-ring.ts';
import { constantTimeEqual } from '#adapters/constant-time-equal.ts';
import type { Dynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoMachineLookup } from '#adapters/dynamo/dynamo-machines.ts';
import { createDynamoOwners } from '#adapters/dynamo/dynamo-owners.ts';
import { createDynamoSessionJournal } from '#adapters/dynamo/dynamo-session-journal.ts';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import { createAuthorizer } from '#http/authorizer.ts';
import type { Log } from '#http/log.ts';
import { createOwnAuthorization, type OwnAuthorization } from '#http/own-authorization.ts';
import { ownAuthorizationSchema, readConfig } from '#shared/config.ts';
import { openTrustedProxy } from './trusted-proxy.ts';

/** Opens the check of credentials of a function on AWS whose routes have no authorizer. The environment names its tables and the issuer. */
export function openOwnAuthorization(log: Log, dynamo: Dynamo): OwnAuthorization {
	const config = readConfig(ownAuthorizationSchema);
	return createOwnAuthorization({
		authorizer: createAuthorizer({
			issuer: config.TOKEN_ISSUER,
			audience: config.TOKEN_AUDIENCE,
			keys: createSsmPublicKeys({ parameter: config.KEY_RING }),
			now: Date.now,
		}),
		machines: createDynamoMachineLookup(dynamo, config.TABLE_MACHINES),
		secrets: machineSecrets,
		owners: createDynamoOwners(dynamo, config.TABLE_OWNERS),
		sessions: createDynamoSessionJournal(dynamo, { changes: config.TABLE_CHANGES }, config.CHANGE_DAYS),
		constantTimeEqual,
		trustedProxy: openTrustedProxy(log),
		now: Date.now,
	});
}
