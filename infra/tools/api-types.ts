import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiDocumentText } from '#infra/openapi/document.ts';

/**
 * `npm run api-types`: generates the types of the API for clients in TypeScript (infra/openapi/README.md#the-document) into the file in its
 * argument, infra/openapi/api.d.ts by default. openapi-typescript is no dependency, because it needs TypeScript 5; npx installs it once.
 */
const [file = fileURLToPath(new URL('../openapi/api.d.ts', import.meta.url))] = process.argv.slice(2);
const packages = ['-p', 'typescript@5.9.3', '-p', 'openapi-typescript@7.13.0'];
const folder = mkdtempSync(join(tmpdir(), 'caudal-api-types-'));
try {
	writeFileSync(join(folder, 'openapi.json'), apiDocumentText());
	const args = ['-y', ...packages, 'openapi-typescript', 'openapi.json', '-o', 'api.d.ts'];
	execFileSync('npx', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
	writeFileSync(file, readFileSync(join(folder, 'api.d.ts')));
} finally {
	rmSync(folder, { recursive: true, force: true });
}
