import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { RowCommit, SchemaStore } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { readVariables } from '#domain/use-cases/read-variables.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';
import { makeTimeSeries } from '#test/support/fakes/fake-time-series.ts';
import { type BenchRow, median, timesOf } from './row.ts';

const asked = Array.from({ length: 10 }, (_, index) => index + 1);
const rounds = 300;

const openStore = (): SchemaStore => createSqliteSchemaStore(openDatabase(':memory:'));

const fillVariables = async (store: SchemaStore, count: number): Promise<void> => {
	const step = 90;
	for (let first = 1; first <= count; first += step) {
		const rows = Array.from({ length: Math.min(step, count - first + 1) }, (_, index): RowCommit => {
			const id = first + index;
			return { key: variableKey(id), expected: null, put: makeVariableRow(id) };
		});
		await store.commit('s', rows);
	}
	for (let id = 0; id < count; ) id = await store.nextId('s');
};

/** Reading 10 variables in a schema of 10,000 against a schema of 10: warm, and by a function just started. */
const benchPolls = async (): Promise<readonly BenchRow[]> => {
	const stores = [openStore(), openStore()] as const;
	await fillVariables(stores[0], 10);
	await fillVariables(stores[1], 10_000);
	const { timeSeries } = makeTimeSeries(new Map());
	const poll = (definitions: ReturnType<typeof createDefinitionCache>) =>
		readVariables({ definitions, timeSeries }, 's', { database: 'd', now: 1_000_000 }, asked);
	const warm = stores.map(createDefinitionCache);
	const times: Record<'warm' | 'cold', number[][]> = { warm: [[], []], cold: [[], []] };
	for (let round = 0; round < rounds; round += 1) {
		for (const [index, store] of stores.entries()) {
			const kept = warm[index] ?? createDefinitionCache(store);
			times.warm[index]?.push(...(await timesOf(1, () => poll(kept))));
			times.cold[index]?.push(...(await timesOf(1, () => poll(createDefinitionCache(store)))));
		}
	}
	return (['warm', 'cold'] as const).map((kind) => {
		const [small = Number.NaN, large = Number.NaN] = times[kind].map(median);
		const ratio = large / small;
		return {
			name: `10 of 10,000 variables, ${kind}`,
			baseline: '10 of 10',
			measured: `${large.toFixed(3)} ms against ${small.toFixed(3)} ms`,
			ratio,
			budget: kind === 'warm' ? 'at most 1.1x' : 'none',
			met: kind === 'cold' || ratio <= 1.1,
		};
	});
};

/** Deleting a variable of 3 usages among 10,000 boards against among 10. */
const benchDeletions = async (): Promise<readonly BenchRow[]> => {
	const deletions = 100;
	const prepare = async (boards: number) => {
		const store = openStore();
		const deps = { store, pause: async () => undefined };
		const { id: kept } = (await saveVariable(deps, 's', makeVariable())).variable;
		const chart = (...ids: number[]) =>
			boardOf('chart', parseBoard('chart', { id: 0, title: 'Chart', series: ids.map((varId) => ({ varId })) }));
		for (let count = 0; count < boards; count += 1) await saveBoard(deps, 's', chart());
		const doomed: number[] = [];
		for (let count = 0; count < deletions; count += 1) {
			const { id } = (await saveVariable(deps, 's', makeVariable())).variable;
			for (let usage = 0; usage < 3; usage += 1) await saveBoard(deps, 's', chart(id, kept));
			doomed.push(id);
		}
		return { deps, doomed };
	};
	const few = await prepare(10);
	const many = await prepare(10_000);
	const times: [number[], number[]] = [[], []];
	for (let index = 0; index < deletions; index += 1) {
		times[0].push(...(await timesOf(1, () => deleteVariable(few.deps, 's', few.doomed[index] ?? 0))));
		times[1].push(...(await timesOf(1, () => deleteVariable(many.deps, 's', many.doomed[index] ?? 0))));
	}
	const [small, large] = [median(times[0]), median(times[1])];
	return [
		{
			name: 'deleteVar of 3 usages among 10,000 boards',
			baseline: 'among 10',
			measured: `${large.toFixed(3)} ms against ${small.toFixed(3)} ms`,
			ratio: large / small,
			budget: 'at most 1.2x',
			met: large / small <= 1.2,
		},
	];
};

/** What a schema's size costs those who ask little of it. */
export const benchIntegrity = async (): Promise<readonly BenchRow[]> => [...(await benchPolls()), ...(await benchDeletions())];
