import { homedir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { nonEmpty, readConfig } from '#shared/config.ts';

const environmentSchema = v.object({ XDG_CACHE_HOME: v.optional(nonEmpty) });

/** Where a server of the proofs is kept: outside the checkout, so that a clean one has it too. */
export const cacheFolder = (name: string): string =>
	join(readConfig(environmentSchema).XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'caudal', name);
