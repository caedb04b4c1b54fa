import { expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { panelKey } from '#domain/transaction/read-set.ts';
import { usagesOf } from '#domain/transaction/usages.ts';
import { deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { unitsOfSave } from '#infra/aws/caps.ts';
import { makePanel, makeVariable } from '#test/support/builders/builders.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { units } from '#test/support/cost/units.ts';
import { type Consumed, consumedBy } from '#test/support/servers/consumed-capacity.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

describeDynamo('consumed capacity of DynamoDB', () => {
	test('does not depend on how many rows a schema has', { timeout: 300_000 }, async () => {
		const measure = async (others: number) => {
			const adapters = await openAdapters();
			const deps = { store: adapters.store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin };
			const ids: number[] = [];
			for (let count = 0; count < 10 + others; count += 1) ids.push((await saveVariable(deps, 's', makeVariable())).variable.id);
			const chart = (id: number, ...varIds: number[]) =>
				boardOf('chart', parseBoard('chart', { id, title: 'Chart', series: varIds.map((varId) => ({ varId })) }));
			// The first chart of a schema also counts the charts.
			for (let count = 0; count < 1 + others; count += 1) await saveBoard(deps, 's', chart(0, ids[9] ?? 0));
			const polled = ids.slice(0, 10);
			const definitions = createDefinitionCache(adapters.store);
			const rows: Record<string, Consumed> = {};
			const measureStep = async (name: string, work: () => Promise<unknown>) => {
				rows[name] = await consumedBy(adapters.dynamo, work);
			};
			await measureStep('poll of 10, cold', () => definitions.get('s', polled));
			await measureStep('poll of 10, warm', () => definitions.get('s', polled));
			await measureStep('save a new variable', () => saveVariable(deps, 's', makeVariable()));
			await measureStep('save a variable again', () => saveVariable(deps, 's', makeVariable({ id: ids[1], unit: 'bar' })));
			await measureStep('save a variable as it is', () => saveVariable(deps, 's', makeVariable({ id: ids[1], unit: 'bar' })));
			await measureStep('poll of 10 after 2 saves, 1 of the 10', () => definitions.get('s', polled));
			await measureStep('save a chart of 3', () => saveBoard(deps, 's', chart(0, ids[0] ?? 0, ids[1] ?? 0, ids[2] ?? 0)));
			await measureStep('poll of 10 after a chart', () => definitions.get('s', polled));
			await measureStep('save a panel of 1', () => savePanel(deps, 's', makePanel(ids[0] ?? 0)));
			await measureStep('panel', () => adapters.store.get('s', [panelKey]));
			await measureStep('usages of 1', () => usagesOf(adapters.store, 's', ids[0] ?? 0));
			await measureStep('delete a variable of 1 chart', () => deleteVariable(deps, 's', ids[0] ?? 0));
			await measureStep('delete a variable of nothing', () => deleteVariable(deps, 's', ids[5] ?? 0));
			adapters.dynamo.close();
			return rows;
		};
		const [few, many] = [await measure(0), await measure(200)];
		console.table(few);
		expect(many).toEqual(few);
		// A transaction reads the metadata and the rows for 2 units each. The pack, which is not there yet, is looked for before.
		expect(few['poll of 10, cold']).toEqual({ requests: 3, units: 1 + 22 });
		expect(few['poll of 10, warm']).toEqual({ requests: 1, units: 1 });
		// A read; 2 units each for the row and the metadata. DynamoDB Local counts 8 for an entry with its index, AWS 3: a save is 7 there.
		expect(few['save a variable again']).toEqual({ requests: 2, units: 1 + unitsOfSave + 8 });
		expect(few['panel']).toEqual({ requests: 1, units: units.panel });
		expect(few['save a variable as it is']).toEqual({ requests: 1, units: 1 });
		expect(few['poll of 10 after 2 saves, 1 of the 10']).toEqual({ requests: 3, units: 1 + 2 + 4 });
		expect(few['poll of 10 after a chart']).toEqual({ requests: 2, units: 1 + 2 });
	});
});
