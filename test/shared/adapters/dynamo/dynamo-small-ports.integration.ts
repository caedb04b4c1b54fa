import { inflateRawSync } from 'node:zlib';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDynamoChangeJournal } from '#adapters/dynamo/dynamo-change-journal.ts';
import { createDynamoSchemaStore } from '#adapters/dynamo/dynamo-schema-store.ts';
import { digest } from '#adapters/session-ids.ts';
import { refusalOf } from '#domain/access/machine.ts';
import { machineChange } from '#domain/access/machine-change.ts';
import { grantChange } from '#domain/identity/grant-change.ts';
import type { Grant } from '#domain/identity/grants.ts';
import type { StoredGrant } from '#domain/ports/grants.ts';
import { claimMs } from '#domain/ports/idempotency.ts';
import { attemptWindowMs, knownSourceMs } from '#domain/ports/sign-in-attempts.ts';
import { tables } from '#shared/tables.ts';
import { changeHistoriesContract } from '#test/contract/change-histories.ts';
import { changeJournalContract } from '#test/contract/change-journal.ts';
import { grantsContract } from '#test/contract/grants.ts';
import { idempotencyContract } from '#test/contract/idempotency.ts';
import { machinesContract } from '#test/contract/machines.ts';
import { openIdSessionTokensContract } from '#test/contract/openid-session-tokens.ts';
import { openIdSessionsContract } from '#test/contract/openid-sessions.ts';
import { ownersContract } from '#test/contract/owners.ts';
import { parallelSignInsContract } from '#test/contract/parallel-sign-ins.ts';
import { peopleContract } from '#test/contract/people.ts';
import { schemaImportsContract } from '#test/contract/schema-imports.ts';
import { sessionJournalContract } from '#test/contract/session-journal.ts';
import { signInAttemptsContract } from '#test/contract/sign-in-attempts.ts';
import { storedTextsContract } from '#test/contract/stored-texts.ts';
import { usersContract } from '#test/contract/users.ts';
import { writtenSchemasContract } from '#test/contract/written-schemas.ts';
import { makeAlarmEvent } from '#test/support/builders/alarm-rows.ts';
import { makeGrant, makeSession } from '#test/support/builders/identity.ts';
import { makeMachine } from '#test/support/builders/machines.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';
import { describeDynamo, openAdapters, patient } from '#test/support/servers/dynamo.ts';

/** In the future: DynamoDB deletes expired items by its own clock. */
const now = Date.UTC(2100, 0, 1) + 500;

/** Returns the text of a stored day. */
const inflated = (body: Uint8Array): string => inflateRawSync(body).toString();

describeDynamo('on DynamoDB Local', () => {
	idempotencyContract('DynamoDB', () => openAdapters());
	usersContract('DynamoDB', async () => (await openAdapters()).users);
	signInAttemptsContract('DynamoDB', async () => (await openAdapters({ limits: patient })).attempts);
	parallelSignInsContract('DynamoDB', () => openAdapters({ limits: patient }));
	ownersContract('DynamoDB', async () => (await openAdapters()).owners);
	test('an owner that cannot be read is nobody, until one is set', async () => {
		const { dynamo, owners, names } = await openAdapters();
		const schema = { kind: 'schema', name: 'plant_a' } as const;
		await dynamo.client.send(new PutCommand({ TableName: names.owners, Item: { key: 'schema#plant_a', clientId: 'lost' } }));
		expect(await owners.find(schema)).toBe(-1);
		expect(await owners.claim([schema], 3)).toBe(false);
		await owners.set({ ...schema, clientId: 3 });
		expect(await owners.find(schema)).toBe(3);
	});
	peopleContract('DynamoDB', () => openAdapters({ limits: patient }), 200);
	let opened: ReturnType<typeof openAdapters> | undefined;
	let schemas = 0;
	changeHistoriesContract(
		'DynamoDB',
		async (now) => {
			opened ??= openAdapters();
			const { dynamo, names } = await opened;
			schemas += 1;
			return {
				store: createDynamoSchemaStore(dynamo, names, { events: 400, changes: 0 }),
				changes: createDynamoChangeJournal(dynamo, names, now),
				schema: `history-${schemas}`,
				close: () => undefined,
			};
		},
		100,
	);
	sessionJournalContract('DynamoDB', () => openAdapters());
	machinesContract('DynamoDB', () => openAdapters({ limits: patient }), 64);
	grantsContract('DynamoDB', () => openAdapters({ limits: patient }), 20);
	openIdSessionsContract('DynamoDB', async () => (await openAdapters({ limits: patient })).openIdSessions, 50);
	openIdSessionTokensContract('DynamoDB', async () => {
		const { dynamo, names, openIdSessions: sessions, openIdSessionTokens: tokens } = await openAdapters();
		const rowsOf = async (TableName: string) => (await dynamo.client.send(new ScanCommand({ TableName }))).Items ?? [];
		return {
			sessions,
			tokens,
			dump: async () => [...(await rowsOf(names.sessions)), ...(await rowsOf(names.sessionTokens))],
			copy: async (id, to) => {
				const [row] = (await rowsOf(names.sessionTokens)).filter((each) => each['id'] === id);
				await dynamo.client.send(new PutCommand({ TableName: names.sessionTokens, Item: { ...row, id: to } }));
			},
		};
	});
	changeJournalContract('DynamoDB', async (days, now) => {
		const { dynamo, names } = await openAdapters();
		const store = createDynamoSchemaStore(dynamo, names, { events: 400, changes: days });
		return { store, changes: createDynamoChangeJournal(dynamo, names, now) };
	});
	writtenSchemasContract('DynamoDB', () => openAdapters());
	schemaImportsContract('DynamoDB', () => openAdapters());
	storedTextsContract('DynamoDB', async () => {
		const { dynamo, names, ...stores } = await openAdapters({ limits: patient });
		const storedTexts = async () => {
			const scans = Object.values(names).map((TableName) => dynamo.client.send(new ScanCommand({ TableName })));
			const items = (await Promise.all(scans)).flatMap(({ Items = [] }) => Items);
			return items.map((item) =>
				JSON.stringify({ ...item, ...(item['body'] instanceof Uint8Array ? { body: inflated(item['body']) } : {}) }),
			);
		};
		return { stores, storedTexts };
	});

	test('a day of a report that cannot be inflated does not end the erasure of texts in others', async () => {
		const { dynamo, names, reportDays, texts } = await openAdapters({ limits: patient });
		const report = { schema: 's', reportId: 3 };
		const seal = { at: 0, by: 'ada@plant.example', reason: null };
		for (const date of ['2026-11-20', '2026-11-21']) await reportDays.put(report, makeStoredDay(date, { seal }), null);
		const damaged = { schema: 's', key: 'day#3#2026-11-20', stamp: 0, body: Uint8Array.of(7) };
		await dynamo.client.send(new PutCommand({ TableName: names.reportDays, Item: damaged }));
		await texts.rewrite('s', 'reportDays', (text) => text.replaceAll('ada@plant.example', 'somebody'));
		expect(await reportDays.list(report, '2026-11-20', '2026-11-21')).toMatchObject([
			{ date: '2026-11-20', isUnread: true },
			{ date: '2026-11-21', seal: { by: 'somebody' } },
		]);
	});

	describe('a row that lost an attribute', () => {
		let opened: Awaited<ReturnType<typeof openAdapters>>;
		beforeEach(async () => {
			opened = await openAdapters({ limits: patient });
		});
		/** Takes attributes from each row of a table. */
		const lose = async (table: 'machines' | 'grants' | 'sessions' | 'sessionTokens' | 'signInFailures', names: string[]) => {
			const { client } = opened.dynamo;
			const { Items = [] } = await client.send(new ScanCommand({ TableName: opened.names[table] }));
			expect(Items.length).toBeGreaterThan(0);
			for (const item of Items) {
				const Item = Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
				await client.send(new PutCommand({ TableName: opened.names[table], Item }));
			}
		};
		const saved = async (machine = makeMachine({ version: 3 })) => {
			await opened.machines.save(machine, null, machineChange({ before: null, after: machine }, testOrigin, now));
			return machine;
		};

		test('is a machine without its version, which is as its text says, and is replaced', async () => {
			const machine = await saved();
			await lose('machines', ['version']);
			expect(await opened.machines.find(machine.clientId)).toEqual(machine);
			const { hashes: _, ...listed } = machine;
			expect(await opened.machines.list('s')).toEqual([listed]);
			const next = { ...machine, name: 'scada', version: 4 };
			const change = machineChange({ before: machine, after: next }, testOrigin, now);
			expect(await opened.machines.save(next, 3, change)).toBe('saved');
			expect(await opened.machines.save(next, 3, change)).toBe('conflict');
			expect(await opened.machines.find(machine.clientId)).toEqual(next);
		});

		test.each([[['version']], [['version', 'machine']], [['version', 'machine', 'hashes']]])(
			'is a machine without %j, which is deleted',
			async (names) => {
				const machine = await saved();
				await lose('machines', names);
				const found = await opened.machines.find(machine.clientId);
				if (found === null) throw new Error('no machine');
				if (names.includes('machine')) expect(refusalOf(found, 0)).toBe('revoked');
				const change = machineChange({ before: found, after: null }, testOrigin, now);
				expect(await opened.machines.remove(found, change)).toBe('removed');
				expect(await opened.machines.find(machine.clientId)).toBeNull();
			},
		);

		test('is a machine without its schema, which is one of nobody', async () => {
			const { clientId } = await saved();
			await lose('machines', ['schema']);
			expect([await opened.machines.find(clientId), await opened.machines.list('s')]).toEqual([null, []]);
		});

		test('is a grant without its version, which lets in, is replaced and removed', async () => {
			const grant = makeGrant();
			let lastVersion = 0;
			const change = (after: Grant | null) => (before: StoredGrant | null) => {
				lastVersion += 1;
				return grantChange(digest, { before, after, lastVersion }, testOrigin, now + lastVersion);
			};
			for (const at of [1, 2]) {
				await opened.grants.add(grant, change(grant));
				await lose('grants', ['rowVersion']);
				expect([await opened.grants.list('entra'), await opened.grants.all()]).toEqual([[grant], [grant]]);
				const next = { ...grant, owner: at };
				expect(await opened.grants.add(next, change(next))).toBe('added');
				await lose('grants', ['rowVersion']);
				expect(await opened.grants.remove(grant, change(null))).toBe(true);
				expect(await opened.grants.all()).toEqual([]);
			}
		});

		test.each(['version', 'endsAt', 'person', 'provider', 'signIn', 'found'])(
			'is a session without its %s, which is over, and is ended',
			async (name) => {
				const session = makeSession();
				await opened.openIdSessions.create(session);
				await lose('sessions', [name]);
				const at = session.endsAt - 1;
				expect(await opened.openIdSessions.find(session.id, at)).toBeNull();
				expect(await opened.openIdSessions.lease(session.id, { by: 'a', until: at + 1 }, at)).toBeNull();
				const listed = (await opened.openIdSessions.list()).map(({ id, endsAt }) => [id, endsAt]);
				expect(listed).toEqual(name === 'person' ? [] : [[session.id, 0]]);
				await opened.openIdSessions.remove(session.id);
				expect(await opened.openIdSessions.list()).toEqual([]);
			},
		);

		test('is a logout without its time, which holds', async () => {
			const session = makeSession();
			await opened.openIdSessions.noteLogout({ ...session, issuedAt: session.issuedAt - 1 }, now);
			expect(await opened.openIdSessions.isLoggedOut(session)).toBe(false);
			await lose('sessions', ['issuedAt']);
			expect(await opened.openIdSessions.isLoggedOut(session)).toBe(true);
		});

		test('is tokens without their text, which are none', async () => {
			await opened.openIdSessionTokens.put('sid', { refreshToken: 'r', idToken: null }, now);
			await lose('sessionTokens', ['sealed']);
			expect(await opened.openIdSessionTokens.find('sid')).toBeNull();
		});

		test('is a known source without its time, which is not known', async () => {
			await opened.attempts.remember('a@x', 's', now);
			await lose('signInFailures', ['at']);
			expect(await opened.attempts.isKnown('a@x', 's', now)).toBe(false);
		});
	});

	test('counts an attempt once when its first response was lost, also as the last one that the limit allows', async () => {
		const { attempts } = await openAdapters();
		const scope = { email: 'a@x', source: null };
		for (const id of ['first', 'last', 'last', 'first']) expect(await attempts.count(scope, { id, at: now }, 2)).toEqual([]);
		expect(await attempts.count(scope, { id: 'more', at: now }, 2)).toEqual([now, now]);
	});

	test('stores the expiry in the TTL attribute of the table, in whole seconds and never too early', async () => {
		const { dynamo, names, idempotency, store, alarms, attempts, ...others } = await openAdapters();
		const expiry = async (
			table: 'idempotency' | 'signInFailures' | 'alarmEvents' | 'sessions' | 'sessionTokens',
		): Promise<unknown[]> => {
			const { Items = [] } = await dynamo.client.send(new ScanCommand({ TableName: names[table] }));
			return Items.map((item) => item[tables[table].ttlAttribute]);
		};
		const claim = { key: 'k', token: 't' };
		await idempotency.claim(claim, 'body', now);
		expect(await expiry('idempotency')).toEqual([(now + 500 + claimMs) / 1000]);
		await store.commit('s', [], { claim, response: '{}', keepUntil: now + 2 * claimMs });
		expect(await expiry('idempotency')).toEqual([(now + 500 + 2 * claimMs) / 1000]);
		const recordedAt = now + 60_000;
		await store.commit('s', [], undefined, {
			events: [makeAlarmEvent({ time: now, recordedAt, origin: { writer: 'definition', number: 1 } })],
		});
		await alarms.commit('s', { alarmId: 7, events: [makeAlarmEvent({ time: now, recordedAt })] });
		const days = 400 * 86_400;
		expect(await expiry('alarmEvents')).toEqual([(recordedAt + 500) / 1000 + days, (recordedAt + 500) / 1000 + days]);
		await attempts.count({ email: 'a@x', source: 's' }, { id: '1', at: now }, 1);
		expect(await expiry('signInFailures')).toEqual([(now + 500 + attemptWindowMs) / 1000]);
		await attempts.withdraw({ email: 'a@x', source: null }, { id: '1', at: now });
		await attempts.remember('a@x', 's', now);
		expect((await expiry('signInFailures')).sort()).toEqual([
			(now + 500 + attemptWindowMs) / 1000,
			(now + 500 + knownSourceMs) / 1000,
		]);
		await others.openIdSessions.create(makeSession({ endsAt: now }));
		await others.openIdSessionTokens.put('sid', { refreshToken: 'r', idToken: null }, now);
		expect([await expiry('sessions'), await expiry('sessionTokens')]).toEqual([[(now + 500) / 1000], [(now + 500) / 1000]]);
	});
});
