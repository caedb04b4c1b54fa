import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sbomText } from '#infra/sbom/sbom.ts';
import { packagesByPart, schemaFaults } from '#test/support/sbom.ts';

const folder = mkdtempSync(join(tmpdir(), 'caudal-sbom-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hash = Buffer.alloc(64, 7);
const integrity = `sha512-${hash.toString('base64')}`;
/** Packages by their folders, as they are installed. */
const installed = {
	'node_modules/level': { name: 'level', version: '1.0.0' },
	'node_modules/@scope/flow': { name: '@scope/flow', version: '2.1.0' },
	'node_modules/@scope/flow/node_modules/level': { name: 'level', version: '2.0.0' },
	'node_modules/other/node_modules/level': { name: 'level', version: '1.0.0' },
};
for (const [path, manifest] of Object.entries(installed)) {
	mkdirSync(join(folder, path), { recursive: true });
	writeFileSync(join(folder, path, 'package.json'), JSON.stringify(manifest));
}
const writeLock = (changes: Readonly<Record<string, unknown>> = {}) => {
	const entries = Object.entries(installed).map(([path, { version }]) => [path, { version, license: 'MIT', integrity }]);
	const packages = { '': { license: 'MIT' }, ...Object.fromEntries(entries), ...changes };
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name: 'plant', version: '3.0.0', packages }));
};
const parts = (shipped: Readonly<Record<string, readonly string[]>>) =>
	new Map(Object.entries(shipped).map(([part, paths]) => [part, new Set(paths)]));

describe('the software bill of materials', () => {
	const shipped = {
		poll: ['node_modules/@scope/flow', 'node_modules/level', 'node_modules/@scope/flow/node_modules/level'],
		alarms: ['node_modules/other/node_modules/level'],
		health: [],
	};

	test('names each package with its version, address, licence and hash, and the parts that have it', () => {
		writeLock({ 'node_modules/@scope/flow': { version: '2.1.0', license: 'SEE LICENSE IN TERMS', integrity } });
		const text = sbomText(parts(shipped), folder);
		expect(schemaFaults(text)).toEqual([]);
		expect(packagesByPart(text)).toEqual({
			poll: ['@scope/flow@2.1.0', 'level@1.0.0', 'level@2.0.0'],
			alarms: ['level@1.0.0'],
			health: [],
		});
		const { metadata, components } = JSON.parse(text);
		expect(metadata.component).toMatchObject({ name: 'plant', version: '3.0.0', licenses: [{ license: { id: 'MIT' } }] });
		const hashes = [{ alg: 'SHA-512', content: hash.toString('hex') }];
		const licenses = [{ license: { id: 'MIT' } }];
		const purl = 'pkg:npm/%40scope/flow@2.1.0';
		expect(components.filter(({ type }: { type: string }) => type === 'library')).toEqual([
			{
				...{ type: 'library', name: '@scope/flow', version: '2.1.0', 'bom-ref': purl, purl, hashes },
				licenses: [{ license: { name: 'SEE LICENSE IN TERMS' } }],
			},
			...['1.0.0', '2.0.0'].map((version) => {
				const level = `pkg:npm/level@${version}`;
				return { type: 'library', name: 'level', version, 'bom-ref': level, purl: level, hashes, licenses };
			}),
		]);
	});

	test('is the same text in whichever order the packages come, without a serial number and a time', () => {
		writeLock();
		const text = sbomText(parts(shipped), folder);
		const reversed = Object.entries(shipped)
			.reverse()
			.map(([part, paths]) => [part, paths.toReversed()]);
		expect(sbomText(parts(Object.fromEntries(reversed)), folder)).toBe(text);
		expect(text).not.toMatch(/serialNumber|timestamp/);
	});

	test.each([
		['another version than is installed', { version: '1.0.1', license: 'MIT', integrity }],
		['no hash', { version: '1.0.0', license: 'MIT' }],
		['no entry', undefined],
	])('is refused where the lock has %s', (_, entry) => {
		writeLock({ 'node_modules/level': entry });
		expect(() => sbomText(parts({ poll: ['node_modules/level'] }), folder)).toThrow(
			'package-lock.json lacks level 1.0.0, its licence or its hash at node_modules/level: run npm ci.',
		);
	});
});
