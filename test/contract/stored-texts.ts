import * as v from 'valibot';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { digest } from '#adapters/session-ids.ts';
import { machineChange } from '#domain/access/machine-change.ts';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { sessionEntry } from '#domain/changes/session-entry.ts';
import { accountPersonId } from '#domain/identity/account.ts';
import { readStoredSchema } from '#domain/integrity/stored-schema.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { checkSchema } from '#infra/tools/schema/check.ts';
import { erasePerson } from '#infra/tools/schema/erase-person.ts';
import { eventTime, makeAlarmEvent, makeEventPage, makeOperatorState } from '#test/support/builders/alarm-rows.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { makeSession } from '#test/support/builders/identity.ts';
import { makeMachine } from '#test/support/builders/machines.ts';
import { byTool, person, testOrigin } from '#test/support/builders/origin.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';

/** All stores, and every stored text in them, whatever its table. */
export interface TextBackend {
	readonly stores: Omit<Stores, 'close'>;
	readonly storedTexts: () => Promise<readonly string[]>;
}

const [ada, diana] = ['Ada@plant.example', 'diAda@plant.example'];
const as = 'person-3f2a91c4';
const openIdKey = `person:${'c'.repeat(32)}`;
const shownName = 'ada@plant.example (entra)';
const report = { schema: 's', reportId: 3 };

/** Tests of every `StoredTexts`, by the command that erases a person. `open` creates empty stores. */
export function storedTextsContract(name: string, open: () => Promise<TextBackend>): void {
	describe(`StoredTexts: ${name}`, () => {
		beforeEach(() => {
			vi.spyOn(process.stdout, 'write').mockReturnValue(true);
			return () => vi.restoreAllMocks();
		});

		test('erases a person from every row, and nothing else', async () => {
			const { stores, storedTexts } = await filled(open);
			const before = await reads(stores);
			expect(await erasePerson(stores, { schema: 's', person: ada, erase: false })).toBe(1);
			expect(await reads(stores)).toEqual(before);

			expect(await erasePerson(stores, { schema: 's', person: 'ADA@plant.example', as, erase: true })).toBe(0);
			expect(await reads(stores)).toEqual(erasedFrom(before));
			const texts = (await storedTexts()).join('\n');
			expect(texts.replaceAll(/diada@plant\.example/gi, '')).not.toMatch(/ada@plant/i);
			expect(texts).not.toContain(openIdKey);
			expect(texts).not.toContain(accountPersonId(digest, ada));
			expect(await checkSchema(stores, { schema: 's', repair: false })).toBe(0);

			// A second time there is nothing left, and nothing changes.
			expect(await erasePerson(stores, { schema: 's', person: ada, erase: false })).toBe(0);
			expect(await reads(stores)).toEqual(erasedFrom(before));
		});

		test('ends alike when it is interrupted before any of its writes and run again', async () => {
			const { stores } = await filled(open);
			const before = await reads(stores);
			let writes = 0;
			for (let isOver = false; !isOver && writes < 99; writes += 1) {
				try {
					await erasePerson(interruptedAfter(stores, writes), { schema: 's', person: ada, as, erase: true });
					isOver = true;
				} catch (error) {
					expect(error).toEqual(new Error('interrupted'));
				}
			}
			expect(writes).toBeGreaterThan(5);
			expect(await reads(stores)).toEqual(erasedFrom(before));
		});

		test('names a definition whose text holds the e-mail, and leaves it to people', async () => {
			const { stores } = await filled(open);
			const deps = { store: stores.store, pause: async () => undefined, now: () => eventTime, origin: testOrigin };
			await saveVariable(deps, 's', parseVariable(makeBody({ name: `ask ${ada}` })));
			expect(await erasePerson(stores, { schema: 's', person: ada, as, erase: true })).toBe(1);
			expect(JSON.stringify(await reads(stores))).toContain(`ask ${ada}`);
		});

		test('does not undo what somebody stored after a row was read', async () => {
			const { stores } = await filled(open);
			const [day] = await stores.reportDays.list(report, '2026-11-20', '2026-11-20');
			const put = () => stores.reportDays.put(report, { ...makeStoredDay('2026-11-20'), rowVersion: 2 }, day ?? null);
			let isPut: Promise<boolean> | undefined;
			await stores.texts.rewrite('s', 'reportDays', (text) => {
				isPut ??= put();
				return text.replaceAll(diana, 'eva');
			});
			// DynamoDB may refuse one of two writes at the same instant.
			expect((await isPut) === true || (await put())).toBe(true);
			expect(await stores.reportDays.list(report, '2026-11-20', '2026-11-20')).toMatchObject([{ rowVersion: 2 }]);
		});
	});
}

/** Stores in which two people whose e-mails are alike did everything that rows tell. */
async function filled(open: () => Promise<TextBackend>): Promise<TextBackend> {
	const backend = await open();
	const { stores } = backend;
	for (const [index, email] of [diana, ada].entries()) {
		const at = eventTime + index * 1000;
		const origin = { ...testOrigin, actor: person(email) };
		const deps = { store: stores.store, pause: async () => undefined, now: () => at, origin };
		if (index === 0) await saveVariable(deps, 's', parseVariable(makeBody()));
		const [from, to] = ['2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'];
		const correction = { id: 0, varId: 1, type: 'exclude', from, to, reason: `by ${index}`, author: person(email) };
		await saveBoard(deps, 's', boardOf('correction', parseBoard('correction', correction)));
		await stores.people.noteSignIn('s', email, 'administrator', at);
		await stores.people.setRole('s', email, 'viewer', { ...byTool, at });
		await stores.people.setRole('s', email, 'engineer', { ...byTool, at });
		await stores.sessions.tell('s', sessionEntry({ actor: person(email), source: '203.0.113.7', refusal: null, at }, origin));
		const operator = makeOperatorState({ ackedBy: person(email), shelvedBy: email });
		const event = makeAlarmEvent({ alarmId: 7 + index, time: at, user: person(email), comment: `said ${email}.` });
		await stores.alarms.commit('s', { alarmId: 7 + index, operator: { expected: null, put: operator }, events: [event] });
		const day = makeStoredDay(`2026-11-2${index}`, { seal: { at, by: index === 0 ? email : person(email), reason: null } });
		await stores.reportDays.put(report, day, null);
		const machine = makeMachine({ clientId: `m${index}`, schema: 's', createdBy: index === 0 ? email : shownName });
		await stores.machines.save(machine, null, machineChange({ before: null, after: machine }, origin, at));
		await stores.users.put({ id: 7 + index, email, firstName: 'A', lastName: 'B', clientId: 1 });
		const session = makeSession({ id: `session ${index}`, person: accountPersonId(digest, email), name: email });
		await stores.openIdSessions.create(session);
	}
	await stores.people.noteOpenIdSignIn('s', openIdKey, { name: shownName, provider: 'entra', granted: 'viewer' }, eventTime);
	const actor = { kind: 'person', id: openIdKey, name: shownName } as const;
	await stores.sessions.tell('s', sessionEntry({ actor, source: '203.0.113.9', refusal: null, at: eventTime }, testOrigin));
	return backend;
}

/** What clients read of the schema. */
async function reads({ store, changes, alarms, reportDays, machines, people, users, openIdSessions }: TextBackend['stores']) {
	const page = { start: 0, end: eventTime * 2, itemId: null, actor: null, limit: 999, after: null };
	const kinds = ['variable', 'correction', 'person', 'machine', 'session'] as const;
	const { entries } = await changes.page('s', { ...page, kinds });
	const histories = await Promise.all(entries.map((entry) => changes.history('s', entry, entry.rowVersion, 1)));
	const found = {
		stored: await readStoredSchema({ store, pause: async () => undefined }, 's'),
		entries,
		histories,
		rows: [...(await alarms.rows('s')).rows],
		events: (await alarms.events('s', makeEventPage({ end: eventTime * 2 }))).events,
		days: await reportDays.list(report, '2026-11-01', '2026-11-30'),
		machines: [await machines.find('m0'), await machines.find('m1')],
		people: await people.list('s'),
		users: await users.list(),
		sessions: (await openIdSessions.list()).map(({ id }) => id).sort(),
	};
	const plain: typeof found = JSON.parse(JSON.stringify(found, (_, value) => (value instanceof Map ? [...value] : value)));
	return plain;
}

/** What clients read after Ada was erased: the same, but for her and her own rows. */
function erasedFrom({ users, people, sessions, ...others }: Awaited<ReturnType<typeof reads>>) {
	const replace = (text: string): string =>
		text
			.replaceAll(shownName, `${as}-3`)
			.replaceAll(openIdKey, `${as}-3`)
			.replace(/(?<!di)ada@plant\.example/gi, as);
	const isTheirs = v.looseObject({ source: v.string(), itemId: v.string() });
	const revive = (_: string, value: unknown): unknown => {
		if (typeof value === 'string') return replace(value);
		if (!v.is(isTheirs, value) || !value.itemId.startsWith(as)) return value;
		const { source: _source, ...entry } = value;
		return entry;
	};
	const left: typeof others = JSON.parse(JSON.stringify(others), revive);
	const isDiana = ({ email }: { readonly email: string }) => email === diana;
	return { ...left, users: users.filter(isDiana), people: people.filter(isDiana), sessions: sessions.slice(0, 1) };
}

/** Stores that fail once a number of rows was rewritten or deleted. */
function interruptedAfter({ texts, people, users, ...others }: TextBackend['stores'], count: number): TextBackend['stores'] {
	let left = count;
	const spend = () => {
		if (left === 0) throw new Error('interrupted');
		left -= 1;
	};
	const afterOne = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		spend();
		return work();
	};
	return {
		...others,
		users: { ...users, remove: (email) => afterOne(() => users.remove(email)) },
		people: { ...people, remove: (schema, email) => afterOne(() => people.remove(schema, email)) },
		texts: {
			rewrite: (schema, kind, rewrite) =>
				texts.rewrite(schema, kind, (text, key) => {
					const next = rewrite(text, key);
					if (next !== text) spend();
					return next;
				}),
		},
	};
}
