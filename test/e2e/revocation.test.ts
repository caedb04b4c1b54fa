import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBody } from '#test/support/builders/builders.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { type AlarmTarget, callUnchecked, credentials, signIn, signInAs, tenants } from './target.ts';

const writes = 1000;

/** What is taken away holds for the next write, and what replaces a secret holds up nobody (shared/domain/access/README.md#admission). */
describe('under load', () => {
	let target: AlarmTarget;
	let token: string;
	beforeAll(async () => {
		target = await openLocalTarget();
		await target.people.setRole(tenants.a.schemaName, tenants.a.email, 'administrator', byTool);
		token = await signIn(target, 'a');
	});
	afterAll(() => target.close());

	const post = (path: string, held: string, body?: unknown) => callUnchecked(target, 'POST', path, { token: held, body });
	const save = (held: string) => post('/saveVariable', held, makeBody());
	const stored = async (): Promise<number> => {
		const { body } = await callUnchecked(target, 'GET', '/getVarsTsdb', { token });
		return body.data.length;
	};
	const createMachine = async () =>
		(await post('/saveMachine', token, { name: 'historian', role: 'engineer' })).body.data as {
			readonly clientId: string;
			readonly secret: string;
			readonly secrets: readonly { readonly id: string }[];
		};
	const ask = (clientId: string, secret: string) =>
		callUnchecked(target, 'POST', '/token', {
			body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret }),
		});

	/** Sends writes while `revoke` runs, then 1,000 more. Returns the statuses of those, and whether one of them was stored. */
	const writesAfter = async (held: string, revoke: () => Promise<unknown>) => {
		const meanwhile = Array.from({ length: 20 }, () => save(held));
		await revoke();
		await Promise.all(meanwhile);
		const before = await stored();
		const statuses = new Set<number>();
		for (let sent = 0; sent < writes; sent += 50)
			for (const { status } of await Promise.all(Array.from({ length: 50 }, () => save(held)))) statuses.add(status);
		return { statuses: [...statuses], landed: (await stored()) - before };
	};

	test('of 1,000 writes after a machine was deleted, none lands', async () => {
		const { clientId, secret } = await createMachine();
		const held = (await ask(clientId, secret)).body.access_token;
		expect((await save(held)).status).toBe(200);
		expect(await writesAfter(held, () => post(`/deleteMachine/${clientId}`, token))).toEqual({ statuses: [403], landed: 0 });
	});

	test('of 1,000 writes after a person was lowered, none lands', async () => {
		const { email } = credentials.shift;
		await post('/savePerson', token, { email, role: 'engineer' });
		const { token: held } = await signInAs(target, 'shift');
		const lower = () => post('/savePerson', token, { email, role: 'viewer' });
		expect(await writesAfter(held, lower)).toEqual({ statuses: [403], landed: 0 });
	});

	test('secrets that are replaced 25 times hold up no sign-in', async () => {
		const { clientId, ...machine } = await createMachine();
		let current = machine.secret;
		let [known] = machine.secrets;
		let isRotating = true;
		const statuses: number[] = [];
		/** The secret that each program has sent last. */
		const inUse: string[] = [];
		const program = async (index: number): Promise<void> => {
			while (isRotating) {
				inUse[index] = current;
				statuses.push((await ask(clientId, current)).status);
			}
		};
		const programs = Array.from({ length: 4 }, (_, index) => program(index));
		const same = { clientId, name: 'historian', role: 'engineer' };
		for (let rotation = 0; rotation < 25; rotation += 1) {
			const { body } = await post('/saveMachine', token, { ...same, newSecret: true });
			current = body.data.secret;
			await expect.poll(() => inUse, { interval: 5, timeout: 10_000 }).toEqual(Array(4).fill(current));
			await post('/saveMachine', token, { ...same, removeSecret: known?.id });
			known = body.data.secrets.at(-1);
		}
		isRotating = false;
		await Promise.all(programs);
		expect(statuses.length).toBeGreaterThan(25);
		expect(statuses.filter((status) => status !== 200)).toEqual([]);
	});
});
