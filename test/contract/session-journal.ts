import { beforeEach, describe, expect, test } from 'vitest';
import { mergedMs, type SessionEvent, sessionEntry } from '#domain/changes/session-entry.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { People } from '#domain/ports/people.ts';
import type { SessionJournal } from '#domain/ports/session-journal.ts';

/** Sessions, with the journal that they are read from and the people who are known. */
export interface SessionBackend {
	readonly sessions: SessionJournal;
	readonly changes: Pick<ChangeJournal, 'history'>;
	readonly people: Pick<People, 'noteSignIn'>;
}

const now = Date.UTC(2026, 10, 21, 12);
const ada = { kind: 'person', id: 'ada@plant.example', name: 'Ada@plant.example' } as const;
const grafana = { kind: 'machine', id: 'DemoGrafanaOfPlantA1', name: 'grafana' } as const;
const by = { via: 'api', requestId: 'r' } as const;

/** Tests of every `SessionJournal`. `open` creates an empty one. */
export function sessionJournalContract(name: string, open: () => Promise<SessionBackend>): void {
	describe(`SessionJournal: ${name}`, () => {
		let backend: SessionBackend;
		beforeEach(async () => {
			backend = await open();
			await backend.people.noteSignIn('s', ada.name, 'engineer', now - mergedMs);
		});
		const tell = (event: Partial<SessionEvent> = {}, schema = 's') =>
			backend.sessions.tell(schema, sessionEntry({ actor: ada, source: '203.0.113.7', refusal: null, at: now, ...event }, by));
		const told = async (itemId: string = ada.id, schema = 's') =>
			(await backend.changes.history(schema, { kind: 'session', itemId }, 0, 100)).map(({ entry, before }) => [
				entry.action,
				entry.reason,
				entry.source,
				entry.at - now,
				before,
			]);

		test('tells every sign-in of a person, with its address', async () => {
			await tell();
			await tell({ at: now + 10 });
			await tell({ at: now + 20, source: '2001:db8::7' });
			expect(await told()).toEqual([
				['signedIn', undefined, '203.0.113.7', 0, null],
				['signedIn', undefined, '203.0.113.7', 10, null],
				['signedIn', undefined, '2001:db8::7', 20, null],
			]);
			expect(await told(ada.id, 't')).toEqual([]);
		});

		test('tells equal refusals within a quarter of an hour once, and others by themselves', async () => {
			for (const at of [now, now + 1, now + mergedMs - 1000]) await tell({ refusal: 'credentials', at });
			await tell({ refusal: 'credentials', at: now + 2, source: '198.51.100.1' });
			await tell({ refusal: 'tenant', at: now + 3 });
			await tell({ refusal: 'credentials', at: now + mergedMs + 2000 });
			expect((await told()).map(([, reason, source, at]) => [reason, source, at])).toEqual([
				['credentials', '203.0.113.7', 0],
				['credentials', '198.51.100.1', 2],
				['tenant', '203.0.113.7', 3],
				['credentials', '203.0.113.7', mergedMs + 2000],
			]);
		});

		test('tells nothing of refusals of a person whom the schema does not have', async () => {
			await tell({ refusal: 'credentials' }, 't');
			await tell({ refusal: 'credentials', actor: { ...ada, id: 'eve@plant.example' } });
			expect([await told(ada.id, 't'), await told('eve@plant.example')]).toEqual([[], []]);
		});

		test('tells sign-ins and refusals of a machine, each once within a quarter of an hour', async () => {
			for (const at of [now, now + 1000]) {
				await tell({ actor: grafana, at });
				await tell({ actor: grafana, refusal: 'secret', at: at + 1 });
			}
			expect((await told(grafana.id)).map(([action, reason, , at]) => [action, reason, at])).toEqual([
				['signedIn', undefined, 0],
				['refused', 'secret', 1],
			]);
		});

		test('tells sessions of one millisecond', async () => {
			await Promise.all(Array.from({ length: 12 }, (_, index) => tell({ at: now, source: `203.0.113.${index + 10}` })));
			expect((await told()).map(([, , source]) => source).sort()).toEqual(
				Array.from({ length: 12 }, (_, index) => `203.0.113.${index + 10}`),
			);
		});
	});
}
