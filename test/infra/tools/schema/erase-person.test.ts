import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { machineChange } from '#domain/access/machine-change.ts';
import { sessionEntry } from '#domain/changes/session-entry.ts';
import { textKinds } from '#domain/ports/stored-texts.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { openStores } from '#infra/local/wiring/stores.ts';
import { addGrant } from '#infra/tools/grant/changes.ts';
import { erasePerson, replacePerson } from '#infra/tools/schema/erase-person.ts';
import { makeGrant, signedInAt } from '#test/support/builders/identity.ts';
import { makeMachine } from '#test/support/builders/machines.ts';
import { person, testOrigin } from '#test/support/builders/origin.ts';

const email = 'ana.gil@plant.example';
const replacement = { pseudonyms: new Map([[email, 'person-3f2a91c4']]), names: new Map() };

/** Texts that hold the e-mail, one that is like it, or neither. */
const text = fc
	.array(
		fc.constantFrom(
			email,
			'Ana.Gil@plant.example',
			'anaxgil@plant.example',
			`di${email}`,
			`${email}.org`,
			' ',
			'\n',
			'"',
			'é',
			'(',
			'.',
		),
	)
	.map((parts) => parts.join(' '));
const { json } = fc.letrec((tie) => ({
	json: fc.oneof(
		{ maxDepth: 4 },
		text,
		fc.double({ noNaN: true, noDefaultInfinity: true }),
		fc.constant(null),
		fc.array(tie('json')),
		fc.dictionary(fc.constantFrom('id', 'kind', 'itemId', 'author', 'name', 'source', '__proto__'), tie('json')),
	),
}));

test('replaces the e-mail in any JSON, nothing else, and nothing the second time', () => {
	let replaced = 0;
	fc.assert(
		fc.property(json, fc.constantFrom(...textKinds.filter((kind) => kind !== 'definitions')), (value, kind) => {
			const replace = replacePerson(replacement, kind);
			const before = JSON.stringify(value);
			const after = replace(before);
			expect(replace(after)).toBe(after);
			const without = (each: string) => each.replaceAll(`di${email}`, '').replaceAll(`${email}.org`, '');
			expect(without(after)).not.toMatch(/ana\.gil@/i);
			if (!/ana\.gil@/i.test(without(before))) expect(after).toBe(before);
			else replaced += 1;
		}),
	);
	expect(replaced).toBeGreaterThan(20);
});

test.each(['{"name":"ana.gil@plant.example"}', '{"author":"diana.gil@plant.example"}', 'ana.gil@plant.example', ''])(
	'leaves %s of a definition',
	(definition) => expect(replacePerson(replacement, 'definitions')(definition)).toBe(definition),
);

test('replaces an author, with the name, and no machine of that name', () => {
	const machine = { kind: 'machine', id: 'm', name: email };
	const stored = { author: person('Ana.Gil@plant.example'), time: 1.5, by: machine };
	expect(JSON.parse(replacePerson(replacement, 'definitions')(JSON.stringify(stored)))).toEqual({
		...stored,
		author: { kind: 'person', id: 'person-3f2a91c4', name: 'person-3f2a91c4' },
	});
});

/** Opens stores in memory for a test, whose output is not shown. */
const openSilently = async () => {
	vi.spyOn(process.stdout, 'write').mockReturnValue(true);
	onTestFinished(() => void vi.restoreAllMocks());
	const state = await openState('memory');
	const stores = await openStores(readLocalSettings({ STATE_DIR: 'memory' }), state);
	onTestFinished(() => {
		stores.close();
		state.close();
	});
	return stores;
};

test('replaces a name that the provider showed before, and no name that somebody else has', async () => {
	const stores = await openSilently();
	const id = 'person:0123456789abcdef';
	const shown = { provider: 'entra', granted: 'engineer' } as const;
	for (const [index, name] of ['Ana Gil', 'Ana Luna'].entries()) {
		await stores.people.noteOpenIdSignIn('s', id, { ...shown, name }, signedInAt);
		const event = { actor: { kind: 'person', id, name } as const, source: '', refusal: null, at: signedInAt + index };
		await stores.sessions.tell('s', sessionEntry(event, { via: 'api', requestId: 'r' }));
		const machine = makeMachine({ clientId: name, createdBy: name });
		await stores.machines.save(machine, null, machineChange({ before: null, after: machine }, testOrigin, signedInAt));
	}
	const other = makeMachine({ clientId: 'other', createdBy: 'Eva Gil' });
	await stores.people.noteOpenIdSignIn('s', 'person:other', { ...shown, name: 'Eva Gil' }, signedInAt);
	await stores.machines.save(other, null, machineChange({ before: null, after: other }, testOrigin, signedInAt));
	expect(await erasePerson(stores, { schema: 's', person: id, as: 'p1', erase: true })).toBe(0);
	const creators = (await stores.machines.list('s')).map(({ clientId, createdBy }) => [clientId, createdBy]);
	expect(Object.fromEntries(creators)).toEqual({ 'Ana Gil': 'p1', 'Ana Luna': 'p1', other: 'Eva Gil' });
});

test('keeps a name under which the provider showed somebody else, too, who has another name now or left', async () => {
	const stores = await openSilently();
	const id = 'person:0123456789abcdef';
	const name = 'Ana Gil (entra)';
	for (const each of [id, 'person:fedcba9876543210']) {
		const event = { actor: { kind: 'person', id: each, name } as const, source: '', refusal: null, at: signedInAt };
		await stores.sessions.tell('s', sessionEntry(event, { via: 'api', requestId: 'r' }));
	}
	await stores.people.noteOpenIdSignIn('s', id, { provider: 'entra', granted: 'engineer', name }, signedInAt);
	const machine = makeMachine({ clientId: 'm', createdBy: name });
	await stores.machines.save(machine, null, machineChange({ before: null, after: machine }, testOrigin, signedInAt));
	expect(await erasePerson(stores, { schema: 's', person: id, as: 'p1', erase: true })).toBe(0);
	expect((await stores.machines.list('s')).map(({ createdBy }) => createdBy)).toEqual([name]);
});

test('removes an account and a user that cannot be read', async () => {
	const stores = await openSilently();
	await stores.accounts.put({ email, name: 'Ana Gil', groups: 'lost' as never });
	await stores.users.put({ id: 1, email, firstName: 'Ana', lastName: 'Gil', clientId: 1 });
	const users = { ...stores.users, find: async () => null };
	await erasePerson({ ...stores, users }, { schema: 's', person: email, erase: true });
	expect(await stores.accounts.find(email)).toBeNull();
	expect(await stores.users.find(email)).toBeNull();
});

test('leaves nothing of a person in the files of STATE_DIR after VACUUM, and names a grant that lets the person in', async () => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-'));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	const printed: string[] = [];
	vi.spyOn(process.stdout, 'write').mockImplementation((line) => printed.push(String(line)) > 0);
	onTestFinished(() => void vi.restoreAllMocks());
	const state = await openState(directory);
	const stores = await openStores(readLocalSettings({ STATE_DIR: directory }), state);
	await stores.accounts.put({ email, name: 'Ana Gil', groups: [] });
	await stores.people.noteSignIn('s', email, 'engineer', signedInAt);
	for (let index = 0; index < 200; index += 1) {
		const event = { actor: person(email), source: '203.0.113.7', refusal: null, at: signedInAt + index * 1000 };
		await stores.sessions.tell('s', sessionEntry(event, testOrigin));
	}
	const grant = makeGrant({ provider: 'accounts', where: { email } });
	await addGrant(stores, grant, { at: signedInAt, environment: '' });
	const options = { schema: 's', person: email, erase: true };
	expect(await erasePerson(stores, options)).toBe(1);
	expect(printed.join('')).toContain(
		'left "grant accounts: email=ana.gil@plant.example": change or remove it, then run this again',
	);
	expect(printed.join('')).toMatch(
		/erased entry in the journal of changes: 201\n.*erased account: 1\n.*erased person with a role: 1\n/s,
	);
	await stores.grants.remove(grant, () => ({
		entry: sessionEntry({ actor: person(email), source: '', refusal: null, at: signedInAt - 1 }, testOrigin),
		before: null,
	}));
	expect(await erasePerson(stores, options)).toBe(0);
	// SQLite keeps the bytes of deleted rows until then (infra/local/OPERATING.md#accounts).
	state.database.exec('VACUUM');
	stores.close();
	state.close();
	for (const file of readdirSync(directory))
		expect(readFileSync(join(directory, file)).toString('latin1'), file).not.toMatch(/ana\.gil@plant|Ana Gil/i);
});
