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
import { testOrigin } from '#test/support/builders/origin.ts';
import { makeTimeSeries } from '#test/support/fakes/fake-time-series.ts';
import { type BenchRow, median, sizeOf, timeOf } from './row.ts';

const polledIds = Array.from({ length: 10 }, (_, index) => index + 1);
const rounds = sizeOf(300, 2);
const manyVariables = sizeOf(10_000, 20);
/** A schema takes 10,000 boards, 300 of which are those of the variables to delete. */
const manyBoards = sizeOf(9700, 20);

/** Measures polls and deletions in large schemas against the same in small ones. */
export async function benchIntegrity(): Promise<readonly BenchRow[]> {
	return [...(await benchPolls()), ...(await benchDeletions())];
}

/** Reads 10 variables of a schema with 10,000 and of a schema with 10, with a warm and with an empty definition cache. */
async function benchPolls(): Promise<readonly BenchRow[]> {
	const stores = [await storeOfVariables(10), await storeOfVariables(manyVariables)] as const;
	const { timeSeries } = makeTimeSeries(new Map());
	const poll = (definitions: ReturnType<typeof createDefinitionCache>) =>
		readVariables({ definitions, timeSeries }, 's', { database: 'd', now: 1_000_000 }, polledIds);
	const warm = stores.map(createDefinitionCache);
	const times: Record<'warm' | 'cold', number[][]> = { warm: [[], []], cold: [[], []] };
	for (let round = 0; round < rounds; round += 1) {
		for (const [index, store] of stores.entries()) {
			const warmCache = warm[index] ?? createDefinitionCache(store);
			times.warm[index]?.push(await timeOf(() => poll(warmCache)));
			times.cold[index]?.push(await timeOf(() => poll(createDefinitionCache(store))));
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
}

/** Deletes variables with 3 usages in a schema with 10,000 boards and in a schema with 10. */
async function benchDeletions(): Promise<readonly BenchRow[]> {
	const deletions = sizeOf(100, 2);
	const schemaOf = async ({ boards }: { readonly boards: number }) => {
		const store = openStore();
		const deps = { store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin };
		const { id: keptId } = (await saveVariable(deps, 's', makeVariable())).variable;
		const chart = (...ids: number[]) =>
			boardOf('chart', parseBoard('chart', { id: 0, title: 'Chart', series: ids.map((varId) => ({ varId })) }));
		for (let count = 0; count < boards; count += 1) await saveBoard(deps, 's', chart());
		const deletedIds: number[] = [];
		for (let count = 0; count < deletions; count += 1) {
			const { id } = (await saveVariable(deps, 's', makeVariable())).variable;
			for (let usage = 0; usage < 3; usage += 1) await saveBoard(deps, 's', chart(id, keptId));
			deletedIds.push(id);
		}
		return { deps, deletedIds };
	};
	const few = await schemaOf({ boards: 10 });
	const many = await schemaOf({ boards: manyBoards });
	const [fewTimes, manyTimes]: [number[], number[]] = [[], []];
	for (let index = 0; index < deletions; index += 1) {
		fewTimes.push(await timeOf(() => deleteVariable(few.deps, 's', few.deletedIds[index] ?? 0)));
		manyTimes.push(await timeOf(() => deleteVariable(many.deps, 's', many.deletedIds[index] ?? 0)));
	}
	const [small, large] = [median(fewTimes), median(manyTimes)];
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
}

function openStore(): SchemaStore {
	return createSqliteSchemaStore(openDatabase(':memory:'));
}

/** Most rows that are stored by one commit here. */
const maxRows = 90;

/** Opens a store with variables of the ids 1 to `count`. */
async function storeOfVariables(count: number): Promise<SchemaStore> {
	const store = openStore();
	for (let first = 1; first <= count; first += maxRows) {
		const rows = Array.from({ length: Math.min(maxRows, count - first + 1) }, (_, index): RowCommit => {
			const id = first + index;
			return { key: variableKey(id), expected: null, put: makeVariableRow(id) };
		});
		await store.commit('s', rows);
	}
	// The ids are taken, so that the next variable gets another one.
	for (let id = 0; id < count; ) id = await store.nextId('s');
	return store;
}
