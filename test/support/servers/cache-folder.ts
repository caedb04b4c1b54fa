import { homedir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { nonEmpty, readConfig } from '#shared/config.ts';

const environmentSchema = v.object({ XDG_CACHE_HOME: v.optional(nonEmpty) });

/** Returns the folder in which a test server is installed. It is outside the checkout, so that all checkouts share it. */
export function cacheFolder(name: string): string {
	return join(readConfig(environmentSchema).XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'caudal', name);
}
