import { PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createDynamoChangeJournal } from '#adapters/dynamo/dynamo-change-journal.ts';
import { alarmStoreContract } from '#test/contract/alarm-store.ts';
import { eventTime, makeAlarmEvent, makeEvaluatorState } from '#test/support/builders/alarm-rows.ts';
import { adaptersOf, describeDynamo, newDatabase, openAdapters, openLocalDynamo } from '#test/support/servers/dynamo.ts';
import { openFaultyProxy } from '#test/support/servers/faulty-proxy.ts';

describeDynamo('on DynamoDB Local', () => {
	alarmStoreContract('DynamoDB', async () => {
		const { dynamo, names, alarms, store, idempotency } = await openAdapters();
		const set = async (TableName: string, Key: Record<string, string>, name: string) => {
			await dynamo.client.send(
				new UpdateCommand({
					TableName,
					Key,
					UpdateExpression: 'SET #name = :value',
					ExpressionAttributeNames: { '#name': name },
					ExpressionAttributeValues: { ':value': '{}' },
				}),
			);
		};
		return {
			alarms,
			store,
			idempotency,
			damage: (schema, what, id) => {
				const table = what === 'alarm' ? names.boards : names.alarmStates;
				return set(table, { schema, key: `${what}#${id}` }, 'body');
			},
			damageProgress: (schema) => set(names.evaluations, { schema }, 'failing'),
		};
	});

	test('rows that are no text, as of a newer release, hide no others', async () => {
		const { dynamo, names, alarms } = await openAdapters();
		for (const alarmId of [7, 8])
			await alarms.commit('s', {
				alarmId,
				state: { expected: null, put: makeEvaluatorState() },
				events: [makeAlarmEvent({ alarmId })],
			});
		const page = { start: 0, end: eventTime * 2, alarmId: null, limit: 9, after: null };
		expect((await alarms.events('s', page)).events).toHaveLength(2);
		for (const TableName of [names.alarmStates, names.alarmEvents]) {
			const { Items: [item] = [] } = await dynamo.client.send(new ScanCommand({ TableName }));
			await dynamo.client.send(new PutCommand({ TableName, Item: { ...item, body: new Uint8Array([1]) } }));
		}
		const { rows, unreadable } = await alarms.rows('s');
		expect([rows.size, unreadable.size]).toEqual([1, 1]);
		expect((await alarms.events('s', page)).events).toHaveLength(1);
		const entry = { schema: 's', key: 'variable#1#1', at: '1#variable#1', kind: 'variable', itemId: '1', actor: 'a' };
		await dynamo.client.send(new PutCommand({ TableName: names.changes, Item: { ...entry, entry: new Uint8Array([1]) } }));
		expect(await createDynamoChangeJournal(dynamo, names).all('s')).toEqual([]);
	});

	describe('a write whose first answer is lost', () => {
		/** Opens the store behind a proxy that applies each write and closes the connection, and then lets its repetition through. */
		const openLosing = async () => {
			const database = newDatabase();
			const direct = await openAdapters({ database });
			const lost = new Set<string>();
			const proxy = await openFaultyProxy(inject('dynamoDbEndpoint') ?? '', async ({ operation, body, forward }) => {
				const response = await forward();
				const text = JSON.stringify(body);
				if (/Query|GetItem|Scan/.test(operation) || lost.has(text)) return response;
				lost.add(text);
				return 'close';
			});
			onTestFinished(proxy.close);
			const { alarms } = adaptersOf(openLocalDynamo({ database, endpoint: proxy.url }));
			return { alarms, direct: direct.alarms, lost };
		};

		test('is applied once and reported as done', async () => {
			const { alarms, direct, lost } = await openLosing();
			await alarms.startEvaluation('s', eventTime);
			expect(await alarms.acquireLease('s', 'tick 1', eventTime)).toMatchObject({ lease: 'tick 1' });
			expect(await alarms.updateProgress('s', { lease: 'tick 1', expected: null, evaluatedUntil: eventTime })).toBe(true);
			const step = { lease: 'tick 1', expected: eventTime, evaluatedUntil: eventTime + 1, release: true };
			expect(await alarms.updateProgress('s', step)).toBe(true);
			expect(await direct.progress('s')).toMatchObject({ evaluatedUntil: eventTime + 1, lease: null });
			for (const rowVersion of [1, 2]) {
				const state = { expected: rowVersion === 1 ? null : 1, put: makeEvaluatorState({ rowVersion }) };
				expect(await alarms.commit('s', { alarmId: 7, state })).toBe('committed');
			}
			const state = { expected: 2, put: makeEvaluatorState({ rowVersion: 3 }) };
			expect(await alarms.commit('s', { alarmId: 7, state, events: [makeAlarmEvent()] })).toBe('committed');
			expect(await alarms.commit('s', { alarmId: 7, state: { expected: 3, put: null } })).toBe('committed');
			expect(lost.size).toBe(8);
		});

		test('is still refused where another writer was first', async () => {
			const { alarms, direct } = await openLosing();
			await direct.startEvaluation('s', eventTime);
			await direct.acquireLease('s', 'tick 1', eventTime);
			await direct.commit('s', { alarmId: 7, state: { expected: null, put: makeEvaluatorState({ value: 1 }) } });
			expect(await alarms.acquireLease('s', 'tick 2', eventTime)).toBeNull();
			expect(await alarms.updateProgress('s', { lease: 'tick 2', expected: null, evaluatedUntil: eventTime })).toBe(false);
			const state = { expected: null, put: makeEvaluatorState({ value: 2 }) };
			expect(await alarms.commit('s', { alarmId: 7, state })).toBe('conflict');
			expect((await direct.rows('s')).rows.get(7)?.state?.value).toBe(1);
		});
	});
});
