import { expect, test } from 'vitest';
import { openStoredSecret } from '#test/support/servers/stored-secret.ts';
import { matching } from '#wiring/trusted-proxy.ts';

test('the secret of a proxy can change: the new one counts at once, and no text makes it be read often', async () => {
	const stored = await openStoredSecret('first');
	const errors: string[] = [];
	const isSecret = matching(stored.secret, { error: (message) => void errors.push(message) });
	expect([await isSecret('first'), await isSecret('wrong'), await isSecret('')]).toEqual([true, false, false]);
	const reads = stored.readCount();
	for (let index = 0; index < 20; index += 1) expect(await isSecret(`wrong ${index}`)).toBe(false);
	expect(stored.readCount()).toBe(reads);
	expect(errors).toEqual([]);
	stored.close();
});

test('a new secret counts at once', async () => {
	const stored = await openStoredSecret('first');
	const isSecret = matching(stored.secret, { error: () => undefined });
	expect(await isSecret('first')).toBe(true);
	stored.put('second');
	expect([await isSecret('second'), await isSecret('first')]).toEqual([true, false]);
	stored.close();
});

test('no text is the secret while it cannot be read, and the log says so without the text', async () => {
	const stored = await openStoredSecret('first');
	stored.respondWith(() => ({ status: 400, body: { __type: 'AccessDeniedException', message: 'denied' } }));
	const errors: unknown[] = [];
	const isSecret = matching(stored.secret, { error: (...entry) => void errors.push(entry) });
	expect(await isSecret('sent-text')).toBe(false);
	expect(errors).toHaveLength(1);
	expect(JSON.stringify(errors)).not.toContain('sent-text');
	stored.close();
});
