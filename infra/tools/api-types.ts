import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiDocumentText } from '#infra/openapi/document.ts';

/**
 * `npm run api-types`: writes the types of the API for clients in TypeScript (functions/README.md#a-typed-client-in-typescript) into the file
 * in its argument, .local/api.d.ts by default. openapi-typescript is no dependency, because it needs TypeScript 5; npx installs it once.
 */
const [file = '.local/api.d.ts'] = process.argv.slice(2);
const packages = ['-p', 'typescript@5.9.3', '-p', 'openapi-typescript@7.13.0'];
const folder = mkdtempSync(join(tmpdir(), 'caudal-api-types-'));
try {
	writeFileSync(join(folder, 'openapi.json'), apiDocumentText());
	const args = ['-y', ...packages, 'openapi-typescript', 'openapi.json', '-o', 'api.d.ts'];
	execFileSync('npx', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
	cpSync(join(folder, 'api.d.ts'), file);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
