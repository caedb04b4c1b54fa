import { type Dynamo, openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { createDynamoMachineLookup, createDynamoMachines } from '#adapters/dynamo/dynamo-machines.ts';
import { createDynamoOpenIdSessionLookup } from '#adapters/dynamo/dynamo-openid-sessions.ts';
import { createDynamoPeople } from '#adapters/dynamo/dynamo-people.ts';
import { createDynamoRoles } from '#adapters/dynamo/dynamo-roles.ts';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { machineSecrets } from '#adapters/machine-secrets.ts';
import { sessionIds } from '#adapters/session-ids.ts';
import { admissionTo } from '#http/admission.ts';
import { callerRoleSchema, machineChangesSchema, readConfig, roleChangesSchema, telemetrySchema } from '#shared/config.ts';
import { endpointNamed } from '#shared/contract.ts';
import { timeLeftMs } from './request-time.ts';
import { createTelemetry } from './telemetry.ts';

/** Opens the tables of people, machines and sessions, whose names the environment holds, with what else the check of a role needs (`RoleDeps`). */
export function openCallerRoles(dynamo: Dynamo) {
	const { TABLE_PEOPLE, TABLE_MACHINES, TABLE_SESSIONS, DEFAULT_ROLE: defaultRole } = readConfig(callerRoleSchema);
	return {
		people: createDynamoPeople(dynamo, TABLE_PEOPLE),
		machines: createDynamoMachineLookup(dynamo, TABLE_MACHINES),
		openIdSessions: createDynamoOpenIdSessionLookup(dynamo, TABLE_SESSIONS),
		sessionIds,
		defaultRole,
		now: Date.now,
	};
}

/** Opens the tables of people and machines, and the check of the callers of this function on AWS. The environment names the function and the tables. */
export function openAdmission(dynamo: Dynamo) {
	const roles = openCallerRoles(dynamo);
	return {
		people: roles.people,
		machines: roles.machines,
		admit: admissionTo(endpointNamed(readConfig(telemetrySchema).ENDPOINT), roles),
	};
}

/** Opens the dependencies of a handler that lists people or machines. */
export function openAccessDeps() {
	return { log: createTelemetry().log, ...openAdmission(openDynamo({ timeLeftMs })) };
}

/** Opens the dependencies of a handler that changes machines. */
export function openMachineDeps() {
	const dynamo = openDynamo({ timeLeftMs });
	const { TABLE_MACHINES: machines, TABLE_CHANGES: changes, CHANGE_DAYS } = readConfig(machineChangesSchema);
	const { admit } = openAdmission(dynamo);
	return {
		log: createTelemetry().log,
		now: Date.now,
		pause: jitteredPause,
		admit,
		machines: createDynamoMachines(dynamo, { machines, changes }, CHANGE_DAYS),
		secrets: machineSecrets,
	};
}

/** Opens the dependencies of a handler that sets roles. */
export function openRoleDeps() {
	const dynamo = openDynamo({ timeLeftMs });
	const { CHANGE_DAYS, ...names } = readConfig(roleChangesSchema);
	const tables = { people: names.TABLE_PEOPLE, sessions: names.TABLE_SESSIONS, changes: names.TABLE_CHANGES };
	const { admit } = openAdmission(dynamo);
	return {
		log: createTelemetry().log,
		now: Date.now,
		admit,
		people: createDynamoRoles(dynamo, tables, CHANGE_DAYS),
		sessionIds,
	};
}
