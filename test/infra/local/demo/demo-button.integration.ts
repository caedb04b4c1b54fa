import { expect, test } from 'vitest';
import { demoCredentials } from '#infra/local/demo/idp.ts';
import { startLocal } from '#test/support/servers/local.ts';

/** Returns the modules of the console that a service names in its page, as one text. */
const consoleOf = async (environment: Readonly<Record<string, string>>): Promise<string> => {
	const local = await startLocal(environment);
	const textOf = async (path: string) => (await fetch(`${local.baseUrl}/${path}`)).text();
	const page = await textOf('console');
	const modules = [...page.matchAll(/"(console\/[^"]+\.js)"/g)].map(([, path = '']) => path);
	const texts = await Promise.all(modules.map(textOf));
	await local.close();
	return texts.join('\n');
};

test.each([
	['with the demo plant', { DEMO_PLANT: 'on' }, true],
	['without the demo plant', { DEMO_PLANT: 'off' }, false],
	['with another identity provider, which does not know the demo', { DEMO_PLANT: 'on', AUTH_URL: 'http://127.0.0.1:9' }, false],
] as const)('the console can open the demo plant only where it is: %s', async (_, environment, expected) => {
	const text = await consoleOf(environment);
	expect(text.length).toBeGreaterThan(1000);
	expect([text.includes(demoCredentials.email), text.includes(demoCredentials.tokenApp)]).toEqual([expected, expected]);
});
