import { expect, test } from 'vitest';
import { startLocal } from '#test/support/servers/local.ts';

const trial = { AUTH_URL: 'http://127.0.0.1:9', IDP_TOKEN: 'a-token', PUBLIC_URL: 'https://caudal.example' };

test.each([
	['the token of the demo', { WRITE_TOKEN: 'demo-write-token' }, /its WRITE_TOKEN/],
	['the plant of the demo', { DEMO_PLANT: 'on' }, /its plant/],
])('a trial with its own identity provider does not answer under another name with %s', async (_, environment, named) => {
	await expect(startLocal({ ...trial, ...environment })).rejects.toThrow(named);
	await expect(startLocal({ ...trial, ...environment })).rejects.toThrow(/under caudal\.example/);
});

test('a trial without anything of the demo answers under another name', async () => {
	const local = await startLocal(trial);
	await local.close();
});
