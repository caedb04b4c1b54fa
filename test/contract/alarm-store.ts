import { describe, expect, test } from 'vitest';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { Idempotency } from '#domain/ports/idempotency.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { makeEventPage } from '#test/support/builders/alarm-rows.ts';
import { commitCases } from './alarm-store/commit-cases.ts';
import { evaluationCases } from './alarm-store/evaluation-cases.ts';
import { eventCases } from './alarm-store/event-cases.ts';
import { rowCases } from './alarm-store/row-cases.ts';

/** The adapters of one database that is empty. */
export interface AlarmBackend {
	readonly alarms: AlarmStore;
	readonly store: SchemaStore;
	readonly idempotency: Idempotency;
	/** Makes the stored row of an alarm, or the alarm itself, unreadable. */
	damage(schema: string, what: 'state' | 'alarm', alarmId: number): Promise<void>;
	/** Makes the progress of a schema unreadable. */
	damageProgress(schema: string): Promise<void>;
}

/** Tests of every `AlarmStore`. */
export function alarmStoreContract(name: string, open: () => Promise<AlarmBackend>): void {
	describe(`AlarmStore: ${name}`, () => {
		test('nothing is stored for a schema that was never written to', async () => {
			const { alarms } = await open();
			expect(await alarms.evaluatedSchemas()).toEqual([]);
			expect(await alarms.progress('s')).toBeNull();
			expect(await alarms.alarms('s')).toEqual({ alarms: [], unreadable: [] });
			for (const rows of [await alarms.rows('s'), await alarms.rowsOf('s', [1, 2]), await alarms.rowsOf('s', [])])
				expect(rows).toEqual({ rows: new Map(), unreadable: new Set() });
			expect(await alarms.events('s', makeEventPage())).toEqual({ events: [], next: null });
		});

		evaluationCases(open);
		rowCases(open);
		commitCases(open);
		eventCases(open);
	});
}
