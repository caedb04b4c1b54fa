import { boardOf, parseBoard } from '#domain/board/board.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { testOrigin } from '#test/support/builders/origin.ts';
import { makeBitsBody, makePanel, makeVariable } from './builders.ts';

/** The fields of an alarm besides its name and variable. */
export const alarmRule = { condition: '>', threshold: 1, severity: 'info', message: 'm' } as const;

/**
 * Saves the schema `s` through the use cases: variables 1 (plain) and 2 (bits 0 and 7), chart 3 of both, diagram 4 of the bits of 2,
 * alarms 5 (of 1) and 6 (of bit 7 of 2), and a panel of 1 and of bit 7 of 2.
 */
export async function saveSmallSchema(): Promise<WriteDeps> {
	const store = createSqliteSchemaStore(openDatabase(':memory:'));
	const deps = { store, pause: async () => undefined, now: () => 1_000_000, origin: testOrigin };
	await saveVariable(deps, 's', makeVariable());
	await saveVariable(deps, 's', parseVariable(makeBitsBody()));
	const items = [0, 7, 7].map((bit) => ({ varId: 2, bit, x: 0, y: 1 }));
	const boards = [
		boardOf('chart', parseBoard('chart', { id: 0, title: 'C', series: [{ varId: 1 }, { varId: 2 }, { varId: 1 }] })),
		boardOf('diagram', parseBoard('diagram', { id: 0, title: 'D', items })),
		boardOf('alarm', parseBoard('alarm', { id: 0, name: 'A', varId: 1, ...alarmRule })),
		boardOf('alarm', parseBoard('alarm', { id: 0, name: 'B', varId: 2, bit: 7, ...alarmRule })),
	];
	for (const board of boards) await saveBoard(deps, 's', board);
	await savePanel(deps, 's', makePanel(1, { states: [{ id: 1, name: 'S', varId: 2, type: 'status', bit: 7 }] }));
	return deps;
}
