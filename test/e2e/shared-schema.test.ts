import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { sharedSchemaSuite } from './shared-schema.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

sharedSchemaSuite('SQLite', () => ({ STATE_DIR: directory }));
