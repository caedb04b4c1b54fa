import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { raiseAlarm } from '#test/support/alarms/raise-alarm.ts';
import { makeAlarmBody, makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { byTool, testOrigin } from '#test/support/builders/origin.ts';
import { feed, startLocal } from '#test/support/servers/local.ts';
import { call, signIn, type Target, tenants } from './target.ts';

const dayMs = 86_400_000;

/** The parts of an event that are compared. */
interface ToldEvent {
	readonly kind: string;
	readonly user: string | null;
	readonly actors: { readonly user: unknown };
}

const { email, schemaName: schema, tsdb_name: database } = tenants.a;

/** Whoever does something is told with kind, id and name (shared/domain/access/README.md#actors). */
describe('who did something', () => {
	let local: LocalServer;
	let target: Target;
	let person: string;
	let varId: number;
	/** A machine that an earlier release let have the e-mail of a person as its name, and its token. */
	let machine: { readonly clientId: string; readonly token: string };

	const post = async (path: string, token: string, body?: unknown) => {
		const answer = await call(target, 'POST', path, { token, body });
		expect(answer.status, answer.text).toBe(200);
		return answer.body.data;
	};
	const get = async (path: string) => (await call(target, 'GET', path, { token: person })).body.data;

	beforeAll(async () => {
		local = await startLocal();
		target = { baseUrl: local.baseUrl, feed: (...sent) => feed(local.baseUrl, ...sent), close: local.close };
		await local.service.people.setRole(schema, email, 'administrator', byTool);
		person = await signIn(target, 'a');
		await target.feed(database, `actors/flow value=5 ${Date.now() - 1000}`);
		varId = (await post('/saveVariable', person, makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'actors/flow' }) } }))).id;
		const { clientId, secret } = await post('/saveMachine', person, { name: 'historian', role: 'engineer' });
		const stored = await local.service.machines.find(clientId);
		if (stored === null) throw new Error('The machine is stored.');
		const change = {
			entry: { ...testOrigin, kind: 'machine', itemId: clientId, rowVersion: 2, at: Date.now(), action: 'changed', name: email },
			before: null,
		} as const;
		await local.service.machines.save({ ...stored, name: email, version: 2 }, 1, {
			...change,
			entry: { ...change.entry, version: 2, replaced: 1, fields: ['name'] },
		});
		const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: secret });
		const { body } = await call(target, 'POST', '/token', { body: form });
		machine = { clientId, token: body.access_token };
	});
	afterAll(() => local.close());

	const actors = () =>
		[
			['person', person, { kind: 'person', id: email, name: email }],
			['machine', machine.token, { kind: 'machine', id: machine.clientId, name: machine.clientId }],
		] as const;
	const saveAlarm = async (token: string): Promise<number> =>
		(await post('/saveAlarm', token, makeAlarmBody({ varId, threshold: 4 }))).id;

	test('is a person or a machine in all that is told of an alarm', async () => {
		for (const [, token, actor] of actors()) {
			const id = await saveAlarm(token);
			const occurrence = await raiseAlarm(local.service.alarms, schema, id);
			const listed = async () => (await get('/getAlarms')).find((each: { readonly id: number }) => each.id === id);
			await post('/ackAlarms', token, { alarms: [{ id, occurrence }] });
			expect(await listed()).toMatchObject({ acknowledgedBy: actor.name, actors: { acknowledgedBy: actor, shelvedBy: null } });
			const shelved = await post(`/shelveAlarm/${id}`, token, { minutes: 5, reason: 'Maintenance' });
			expect(shelved).toMatchObject({ shelvedBy: actor.name, actors: { acknowledgedBy: actor, shelvedBy: actor } });
			expect(await post(`/unshelveAlarm/${id}`, token)).toMatchObject({ shelvedBy: null, actors: { shelvedBy: null } });
			await post(`/deleteAlarm/${id}`, token);
			const entries: readonly ToldEvent[] = await get(`/alarmEvents?alarmId=${id}`);
			const byUsers = entries.filter(({ kind }) => kind !== 'raised' && kind !== 'cleared');
			const kinds = ['deleted', 'unshelved', 'shelved', 'acknowledged', 'changed'];
			expect(byUsers.map(({ kind, user, actors: { user: by } }) => [kind, user, by])).toEqual(
				kinds.map((kind) => [kind, actor.name, actor]),
			);
		}
	});

	test('is a person or a machine as the author of a correction, in its listing, its journal and its dry run', async () => {
		for (const [, token, actor] of actors()) {
			const correction = {
				id: 0,
				varId,
				type: 'exclude',
				from: Date.now() - dayMs,
				to: Date.now() - dayMs + 1,
				reason: 'Cleaned',
			};
			const saved = await post('/saveCorrection', token, { ...correction, author: 'somebody else', actors: { author: null } });
			const signed = { author: actor.name, actors: { author: actor } };
			expect(saved).toMatchObject(signed);
			expect(await get(`/getCorrections?ids=${saved.id}`)).toMatchObject([signed]);
			expect((await post('/saveCorrection?dryRun=1', token, correction)).correction).toMatchObject(signed);
			// A client saves what it read: nothing changes, and the author stays.
			expect(await post('/saveCorrection', person, saved)).toEqual(saved);
			const { after } = await get(`/change?kind=correction&itemId=${saved.id}&rowVersion=1`);
			expect(after.content).toMatchObject(signed);
		}
	});

	test('is a person or a machine as the one who seals a day', async () => {
		const lines = [{ key: 'a', name: 'Alarms', unit: '', function: 'raised' }];
		const date = new Date(Date.now() - 2 * dayMs).toISOString().slice(0, 10);
		for (const [, token, actor] of actors()) {
			const { id } = await post('/saveReport', token, { id: 0, title: 'Daily', lines });
			const { days } = await post('/sealReportDays', token, { id, from: date, to: date, reason: 'Checked' });
			expect(days).toMatchObject([{ by: actor.name, actors: { by: actor } }]);
			expect((await get(`/reportDay?id=${id}&date=${date}`)).versions).toMatchObject([{ by: actor.name, actors: { by: actor } }]);
		}
	});

	test('is told so in the journals of changes and of sessions, too', async () => {
		const query = `actor=${machine.clientId}`;
		for (const entries of [await get(`/changes?${query}`), await get(`/changes?kind=session&${query}`)]) {
			expect(entries.length).toBeGreaterThan(0);
			for (const { actor } of entries) expect(actor).toEqual({ kind: 'machine', id: machine.clientId, name: machine.clientId });
		}
	});

	test('is not known to be a person where an earlier release stored a name alone', async () => {
		const id = await saveAlarm(person);
		const occurrence = await raiseAlarm(local.service.alarms, schema, id);
		const operator = { rowVersion: 1, ackedOccurrence: occurrence, ackedBy: email, ackedAt: 1, n: 1 };
		const put = { ...operator, shelvedUntil: Date.now() + dayMs, shelvedBy: 'historian', reason: 'R' };
		expect(await local.service.alarms.commit(schema, { alarmId: id, operator: { expected: null, put } })).toBe('committed');
		const listed = (await get('/getAlarms')).find((each: { readonly id: number }) => each.id === id);
		expect(listed).toMatchObject({
			...{ acknowledgedBy: email, shelvedBy: 'historian' },
			actors: {
				acknowledgedBy: { kind: 'unknown', id: null, name: email },
				shelvedBy: { kind: 'unknown', id: null, name: 'historian' },
			},
		});
	});
});
