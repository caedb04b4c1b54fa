import { randomUUID } from 'node:crypto';
import type { Dynamo } from '#adapters/dynamo/dynamo-client.ts';
import { jitteredPause } from '#adapters/jittered-pause.ts';
import { openAdmission } from './admission.ts';
import { openTables } from './store-deps.ts';

/** Opens what a handler that changes stored data needs beside its stores: what checks the caller's role is there, too. */
export function openWriting(dynamo: Dynamo) {
	return { now: Date.now, newId: randomUUID, pause: jitteredPause, admit: openAdmission(dynamo).admit };
}

/** Opens the dependencies of a handler that changes stored data (`WriteHandlerDeps`). `otherMs`: see `openStoreDeps`. */
export function openWriteDeps(otherMs = 0) {
	const { deps, dynamo } = openTables(otherMs);
	return { ...deps, ...openWriting(dynamo) };
}
