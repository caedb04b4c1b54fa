import { beforeAll, describe, expect, test } from 'vitest';
import { raiseAlarm } from '#test/support/alarms/raise-alarm.ts';
import { makeAlarmBody, makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { type AlarmTarget, type CallOptions, call, callOk, signIn, tenants } from './target.ts';

/** An entry of the journal, as far as the tests look at it. */
interface Entry {
	readonly id: string;
	readonly kind: string;
	readonly alarmId: number;
}

const schema = tenants.a.schemaName;
const { email } = tenants.a;

/** The states of alarms, what operators do with them, and their journal (shared/domain/alarm/README.md). */
export const alarmsSuite = (target: () => AlarmTarget): void => {
	describe('alarms', () => {
		let token: string;
		let varId: number;

		const request = (method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { ...options, token });
		const post = async (path: string, body?: unknown, headers = {}) =>
			(await callOk(target(), 'POST', path, { token, body, headers })).data;
		const listed = async (id: number) =>
			(await request('GET', '/getAlarms')).body.data.find((each: { id: number }) => each.id === id);
		const journal = async (query: string): Promise<{ data: Entry[]; next: string | null }> =>
			callOk(target(), 'GET', `/alarmEvents?${query}`, { token });
		const kindsOf = async (id: number) => (await journal(`alarmId=${id}`)).data.map(({ kind }) => kind);
		/** An alarm whose condition holds. Where an evaluator runs, it raises no such alarm by itself within an hour, and clears none that a test raised. */
		const rules = () => ({ varId, threshold: 4, onDelaySeconds: 3600 });
		const saveAlarm = async (): Promise<number> => (await post('/saveAlarm', makeAlarmBody(rules()))).id;
		const raise = (id: number) => raiseAlarm(target().alarms, schema, id);
		const acknowledge = async (...alarms: { id: number; occurrence: number }[]) => post('/ackAlarms', { alarms });

		beforeAll(async () => {
			token = await signIn(target(), 'a');
			const now = Date.now();
			// An evaluator goes on from where it ended before the test.
			const ages = [180, 120, 60, 1].map((seconds) => seconds * 1000);
			await target().feed('plant_a', ages.map((ageMs) => `alarms/flow value=5 ${now - ageMs}`).join('\n'));
			varId = (await post('/saveVariable', makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'alarms/flow' }) } }))).id;
		});

		test('lists alarms with their states, and how far they are evaluated', async () => {
			const id = await saveAlarm();
			const occurrence = await raise(id);
			const { body } = await request('GET', '/getAlarms');
			expect(body.data.find((each: { id: number }) => each.id === id)).toMatchObject({
				...{ active: true, value: 5, quality: 'good', state: 'active_unacknowledged', cause: 'condition', occurrence },
				...{ since: expect.stringMatching(/Z$/), acknowledgedBy: null, acknowledgedAt: null },
				...{ shelvedUntil: null, shelvedBy: null, reason: null, uncertainSince: null },
			});
			const { body: page } = await request('GET', '/getAlarms?limit=1');
			for (const { evaluation } of [body, page])
				expect(evaluation).toEqual({
					until: evaluation.status === 'never' ? null : expect.stringMatching(/Z$/),
					// How late an evaluator is, is a matter of the target.
					status: expect.stringMatching(/^(ok|late|never)$/),
					unbound: 0,
				});
			// Alarms may be evaluated between two requests.
			if (body.evaluation.until !== null)
				expect(Date.parse(page.evaluation.until)).toBeGreaterThanOrEqual(Date.parse(body.evaluation.until));
			expect(await post('/saveAlarm', { ...makeAlarmBody({ ...rules(), id }), enabled: false })).toMatchObject({ version: 2 });
			expect(await listed(id)).toMatchObject({ state: 'disabled', cause: null });
		});

		test('acknowledges the occurrence that a user has seen, once', async () => {
			const id = await saveAlarm();
			const occurrence = await raise(id);
			const before = Date.now();
			const data = await post('/ackAlarms', { alarms: [{ id, occurrence }], comment: 'Seen.' });
			expect(data).toEqual([{ id, result: 'acknowledged', state: 'active_acknowledged', occurrence }]);
			const state = await listed(id);
			expect(state).toMatchObject({ state: 'active_acknowledged', acknowledgedBy: email, version: 1 });
			expect(Date.parse(state.acknowledgedAt)).toBeGreaterThan(before - 5000);
			expect(await acknowledge({ id, occurrence })).toEqual([
				{ id, result: 'already', state: 'active_acknowledged', occurrence },
			]);
			const { data: entries } = await journal(`alarmId=${id}`);
			expect(entries.filter(({ kind }) => kind === 'acknowledged')).toEqual([
				expect.objectContaining({ alarmId: id, occurrence, user: email, comment: 'Seen.' }),
			]);
		});

		test('does not acknowledge an alarm that was raised again since', async () => {
			const id = await saveAlarm();
			const seen = await raise(id);
			await acknowledge({ id, occurrence: seen });
			const occurrence = await raise(id);
			expect(await acknowledge({ id, occurrence: seen })).toEqual([
				{ id, result: 'newer', state: 'active_unacknowledged', occurrence },
			]);
			expect(await listed(id)).toMatchObject({ state: 'active_unacknowledged', acknowledgedBy: null, occurrence });
			expect(await acknowledge({ id, occurrence })).toMatchObject([{ result: 'acknowledged' }]);
			// The acknowledgement of a newer occurrence holds for those before it.
			expect(await acknowledge({ id, occurrence: seen })).toMatchObject([{ result: 'already', occurrence }]);
		});

		test('says of each alarm of a request what became of it, in its order', async () => {
			const [high, low] = [await saveAlarm(), await saveAlarm()];
			const occurrence = await raise(high);
			const first = await raise(low);
			const second = await raise(low);
			expect(await acknowledge({ id: 987_654, occurrence: 1 }, { id: low, occurrence: first }, { id: high, occurrence })).toEqual(
				[
					{ id: 987_654, result: 'not_found', state: null, occurrence: null },
					{ id: low, result: 'newer', state: 'active_unacknowledged', occurrence: second },
					{ id: high, result: 'acknowledged', state: 'active_acknowledged', occurrence },
				],
			);
			expect(await acknowledge({ id: high, occurrence: occurrence + 1 })).toEqual([
				{ id: high, result: 'not_found', state: 'active_acknowledged', occurrence },
			]);
		});

		test('acknowledges once when many users do it at the same time', async () => {
			const id = await saveAlarm();
			const occurrence = await raise(id);
			const answers = await Promise.all(Array.from({ length: 4 }, () => acknowledge({ id, occurrence })));
			expect(answers.map(([answer]) => answer.result).sort()).toEqual(['acknowledged', 'already', 'already', 'already']);
			expect((await kindsOf(id)).filter((kind) => kind === 'acknowledged')).toHaveLength(1);
		});

		test.each<[string, unknown, string[]]>([
			['nothing', {}, ['alarms']],
			['no alarm', { alarms: [] }, ['alarms']],
			['101 alarms', { alarms: Array.from({ length: 101 }, (_, id) => ({ id: id + 1, occurrence: 1 })) }, ['alarms']],
			['an alarm twice', { alarms: [1, 1].map((id) => ({ id, occurrence: 1 })) }, ['alarms.1.id']],
			[
				'no occurrence',
				{ alarms: [{ id: 1 }, { id: 0, occurrence: 0 }] },
				['alarms.0.occurrence', 'alarms.1.id', 'alarms.1.occurrence'],
			],
			['a long comment', { alarms: [{ id: 1, occurrence: 1 }], comment: 'x'.repeat(501) }, ['comment']],
		])('names the invalid fields of an acknowledgement: %s', async (_, body, fields) => {
			const { status, body: answer } = await request('POST', '/ackAlarms', { body });
			expect([status, Object.keys(answer).sort()]).toEqual([400, fields]);
		});

		test('shelves an alarm, again, and ends the shelf', async () => {
			const id = await saveAlarm();
			await raise(id);
			const before = Date.now();
			const shelved = await post(`/shelveAlarm/${id}`, { minutes: 10, reason: 'Maintenance' });
			expect(shelved).toMatchObject({ id, state: 'active_unacknowledged', value: 5, shelvedBy: email, reason: 'Maintenance' });
			const minutes = (Date.parse(shelved.shelvedUntil) - before) / 60_000;
			expect(minutes).toBeGreaterThan(9.9);
			expect(minutes).toBeLessThan(10.9);
			expect(await listed(id)).toMatchObject(shelved);
			const longer = await post(`/shelveAlarm/${id}`, { minutes: 10_080, reason: 'Longer' });
			expect(Date.parse(longer.shelvedUntil) - before).toBeGreaterThan(10_079 * 60_000);
			expect(longer).toMatchObject({ reason: 'Longer', version: 1 });
			const open = await post(`/unshelveAlarm/${id}`);
			expect(open).toMatchObject({ id, shelvedUntil: null, shelvedBy: null, reason: null, version: 1 });
			// Without a shelf, nothing changes.
			expect(await post(`/unshelveAlarm/${id}`)).toMatchObject({ shelvedUntil: null });
			expect(await kindsOf(id)).toEqual(['unshelved', 'shelved', 'shelved', 'raised', 'changed']);
			const [end, , shelf] = (await journal(`alarmId=${id}`)).data;
			expect([end, shelf]).toMatchObject([
				{ user: email, comment: null },
				{ user: email, comment: 'Maintenance' },
			]);
		});

		test('answers a retry with the same key as the first request, and shelves once', async () => {
			const id = await saveAlarm();
			const key = { 'idempotency-key': crypto.randomUUID() };
			const first = await post(`/shelveAlarm/${id}`, { minutes: 10, reason: 'Once' }, key);
			expect(await post(`/shelveAlarm/${id}`, { minutes: 10, reason: 'Once' }, key)).toEqual(first);
			const other = await request('POST', `/shelveAlarm/${id}`, { body: { minutes: 11, reason: 'Once' }, headers: key });
			expect([other.status, other.body]).toEqual([409, { 'Idempotency-Key': errorEntry('key_in_use') }]);
			const end = { 'idempotency-key': crypto.randomUUID() };
			const ended = await post(`/unshelveAlarm/${id}`, undefined, end);
			expect(await post(`/unshelveAlarm/${id}`, undefined, end)).toEqual(ended);
			expect((await kindsOf(id)).filter((kind) => kind.endsWith('shelved'))).toEqual(['unshelved', 'shelved']);
			const nothing = { 'idempotency-key': crypto.randomUUID() };
			const unchanged = await post(`/unshelveAlarm/${id}`, undefined, nothing);
			expect(await post(`/unshelveAlarm/${id}`, undefined, nothing)).toEqual(unchanged);
		});

		test.each(['/shelveAlarm', '/unshelveAlarm'])('%s answers 404 for an alarm that does not exist', async (path) => {
			for (const headers of [{}, { 'idempotency-key': crypto.randomUUID() }]) {
				const { status, body } = await request('POST', `${path}/987654`, { body: { minutes: 1, reason: 'r' }, headers });
				expect([status, body]).toEqual([
					404,
					{ id: errorEntry('not_found', 'There is no alarm 987654; list the alarms again.') },
				]);
			}
		});

		test.each<[string, unknown, string[]]>([
			['nothing', {}, ['minutes', 'reason']],
			['no time', { minutes: 0, reason: 'r' }, ['minutes']],
			['more than a week', { minutes: 10_081, reason: 'r' }, ['minutes']],
			['half a minute', { minutes: 0.5, reason: '' }, ['minutes', 'reason']],
			['a long reason', { minutes: 1, reason: 'x'.repeat(501) }, ['reason']],
		])('names the invalid fields of a shelf: %s', async (_, body, fields) => {
			const id = await saveAlarm();
			const { status, body: answer } = await request('POST', `/shelveAlarm/${id}`, { body });
			expect([status, Object.keys(answer).sort()]).toEqual([400, fields]);
			expect(await listed(id)).toMatchObject({ shelvedUntil: null });
		});

		test.each(['/ackAlarms', '/shelveAlarm/1', '/unshelveAlarm/1'])('%s has no dry run', async (path) => {
			const { status, body } = await request('POST', `${path}?dryRun=1`, { body: {} });
			expect([status, Object.keys(body)]).toEqual([400, ['dryRun']]);
		});

		test('the journal has pages, newest first, that hold together what one page holds', async () => {
			const id = await saveAlarm();
			const start = Date.now() - 3_600_000;
			for (let count = 0; count < 3; count += 1) await raise(id);
			await post(`/deleteAlarm/${id}`);
			const { data: whole, next } = await journal(`alarmId=${id}&start=${start}&limit=500`);
			expect(next).toBeNull();
			expect(whole.map(({ kind }) => kind).filter((kind) => kind !== 'cleared')).toEqual([
				'deleted',
				'raised',
				'raised',
				'raised',
				'changed',
			]);
			expect(whole.map((each) => each.id)).toEqual(
				whole
					.map((each) => each.id)
					.sort()
					.reverse(),
			);
			const paged: Entry[] = [];
			let after = '';
			for (;;) {
				// The range is that of the first page: an end that is left out does not move.
				const page = await journal(`alarmId=${id}&start=${start}&limit=2${after}`);
				expect(page.data.length).toBeLessThanOrEqual(2);
				paged.push(...page.data);
				if (page.next === null) break;
				after = `&after=${page.next}`;
			}
			expect(paged).toEqual(whole);
			expect((await journal(`start=${start}&limit=500`)).data).toEqual(expect.arrayContaining(whole));
		});

		test('the journal ends before its end, and begins with its start', async () => {
			const id = await saveAlarm();
			const [{ time }] = (await journal(`alarmId=${id}`)).data as unknown as [{ time: string }];
			const at = Date.parse(time);
			const count = async (start: number | string, end: number | string) =>
				(await journal(new URLSearchParams({ alarmId: String(id), start: String(start), end: String(end) }).toString())).data
					.length;
			expect([await count(at, at + 1), await count(at - 1, at), await count(time, at + 1000)]).toEqual([1, 0, 1]);
		});

		test.each<[string, string[]]>([
			['start=yesterday&end=-1', ['end', 'start']],
			['start=2026-11-21T00:00:00Z&end=2026-11-20T00:00:00Z', ['start']],
			['start=2026-10-01T00:00:00Z&end=2026-11-02T00:00:00Z', ['start']],
			['alarmId=0&limit=0', ['alarmId', 'limit']],
			['alarmId=x&limit=501', ['alarmId', 'limit']],
			['after=x', ['after']],
		])('the journal names invalid parameters: %s', async (query, names) => {
			const { status, body } = await request('GET', `/alarmEvents?${query}`);
			expect([status, Object.keys(body).sort()]).toEqual([400, names]);
		});

		test('the journal refuses the page of another question', async () => {
			const id = await saveAlarm();
			await raise(id);
			const { next } = await journal(`alarmId=${id}&limit=1`);
			expect((await journal(`alarmId=${id}&after=${next}`)).data.map(({ kind }) => kind)).toContain('changed');
			for (const query of [
				'',
				`alarmId=${id + 1}`,
				`alarmId=${id}&start=${Date.now() - 1000}`,
				`alarmId=${id}&end=${Date.now() - 1000}`,
			]) {
				const { status, body } = await request('GET', `/alarmEvents?${query}&after=${next}`);
				expect([status, body], query).toEqual([400, { after: errorEntry('bad_after') }]);
			}
		});
	});
};
