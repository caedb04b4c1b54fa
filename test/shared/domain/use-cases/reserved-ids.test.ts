import { beforeEach, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { usagesOf } from '#domain/transaction/usages.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { deleteVariable, previewDeletion } from '#domain/use-cases/delete-variable.ts';
import { getPanel } from '#domain/use-cases/get-panel.ts';
import { alarmValues } from '#domain/use-cases/list-alarms.ts';
import { listedVariables } from '#domain/use-cases/list-variables.ts';
import { readVariables } from '#domain/use-cases/read-variables.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { previewVariable, saveVariable } from '#domain/use-cases/save-variable.ts';
import { makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { createFakeStore } from '#test/support/fakes/fake-schema-store.ts';
import { makeTimeSeries } from '#test/support/fakes/fake-time-series.ts';

// The fake store rejects ids below 1: DynamoDB holds the schema's metadata under them (shared/adapters/dynamo/README.md#tables).

const pause = async () => undefined;
const context = { database: 'd', now: 1_000_000 };
const charts = (id: number, ...varIds: number[]) =>
	boardOf('chart', parseBoard('chart', { id, title: 'Chart', series: varIds.map((varId) => ({ varId })) }));

let store: SchemaStore;

beforeEach(() => {
	({ store } = createFakeStore(async () => undefined, Math.random));
});

test('the fake store rejects a row with an id below 1', async () => {
	for (const id of [0, -1]) {
		await expect(store.get('s', [{ kind: 'variable', id }])).rejects.toThrow(RangeError);
		await expect(store.snapshot('s', [1, id])).rejects.toThrow(RangeError);
	}
	expect(await store.get('s', [{ kind: 'variable', id: 1 }])).toEqual([null]);
});

test('a preview of a new variable reads no row', async () => {
	expect(
		await previewVariable({ store, pause, now: () => 1_000_000, origin: testOrigin }, 's', makeVariable({ id: 0 })),
	).toMatchObject({ row: { version: 1 } });
});

test('no use case reads a row with an id below 1, whatever ids a client sends', async () => {
	const { timeSeries } = makeTimeSeries(new Map());
	const deps = { store, pause, now: () => 1_000_000, origin: testOrigin, definitions: createDefinitionCache(store), timeSeries };
	const { id } = (await saveVariable(deps, 's', makeVariable({ id: 0 }))).variable;
	await previewVariable(deps, 's', makeVariable({ id }));
	const chart = await saveBoard(deps, 's', charts(0, id));
	const alarm = { id: 0, name: 'High', varId: id, condition: '>', threshold: 1, severity: 'info', message: 'High' };
	await saveBoard(deps, 's', boardOf('alarm', parseBoard('alarm', alarm)));
	await savePanel(deps, 's', makePanel(id));
	await getPanel(deps, 's', context);
	expect(listedVariables(await store.list('s', 'variable'))).toHaveLength(1);
	expect(await alarmValues(deps, 's', context, await store.list('s', 'alarm'))).toHaveLength(1);
	expect(await usagesOf(store, 's', id)).toHaveLength(3);
	// Ids of a read may be 0, which no variable has. Ids in a path are positive.
	expect(await readVariables(deps, 's', context, [0, id])).toMatchObject([
		{ quality: 'missing_reference' },
		{ quality: 'no_data' },
	]);
	await readVariables(deps, 's', context, 'all');
	await deleteBoard(deps, 's', { kind: 'chart', id: chart.board.content.id });
	expect(await previewDeletion(store, 's', id)).toMatchObject({ exists: true });
	expect(await deleteVariable(deps, 's', id)).toBe(true);
});
