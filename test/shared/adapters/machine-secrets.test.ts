import { describe, expect, test } from 'vitest';
import { machineSecrets } from '#adapters/machine-secrets.ts';

describe('the secrets of machines', () => {
	test('are 53 characters that scanners know, and never the same', () => {
		const secrets = Array.from({ length: 1000 }, machineSecrets.newSecret);
		expect(new Set(secrets).size).toBe(1000);
		for (const secret of secrets) {
			expect(secret).toMatch(/^cdl_[\w-]{49}$/);
			expect(machineSecrets.isWellFormed(secret)).toBe(true);
		}
	});

	test('tell each typo by their checksum', () => {
		const secret = machineSecrets.newSecret();
		for (let index = 0; index < secret.length; index += 1) {
			const typo = `${secret.slice(0, index)}${secret[index] === 'x' ? 'y' : 'x'}${secret.slice(index + 1)}`;
			expect(machineSecrets.isWellFormed(typo), typo).toBe(false);
		}
		for (const text of ['', 'cdl_', secret.slice(1), `${secret}x`, `${secret}\n`, ` ${secret}`])
			expect(machineSecrets.isWellFormed(text), text).toBe(false);
	});

	test('are stored as SHA-256', () => {
		expect(machineSecrets.hash('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
	});

	test('client ids are 20 letters and digits, and never the same', () => {
		const ids = Array.from({ length: 1000 }, machineSecrets.newClientId);
		expect(new Set(ids).size).toBe(1000);
		for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{20}$/);
	});
});
