import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type TickDeps, type TickResult, tick } from '#domain/alarm/tick.ts';
import type { AlarmEvent } from '#domain/alarm-rows/alarm-event.ts';
import { type Alarm, alarmSchema } from '#domain/board/alarm.ts';
import { boardOf } from '#domain/board/board.ts';
import { DomainError } from '#domain/errors.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { Notification, Notifier } from '#domain/ports/notifier.ts';
import type { BoardRow, RowCommit, SchemaStore, VariableRow } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeEventPage } from '../builders/alarm-rows.ts';
import { makeAlarmBody, makeQuery, makeVariable, makeVariableRow } from '../builders/builders.ts';
import { type FedSample, makeSampledTimeSeries } from '../fakes/sampled-time-series.ts';

const eventDays = 400;

/** Days for which the journal of changes keeps an entry. */
const forEver = 0;

const noDeadline = Number.POSITIVE_INFINITY;

/** 2100-01-05 00:00:00 UTC. In the future: DynamoDB deletes expired events by its own clock. */
export const plantStart = Date.UTC(2100, 0, 5);

/** How long a tick waits for late samples before it evaluates a time. */
export const settleMs = 15_000;

/** A notifier that records messages, and refuses them while `isDown`. */
const makeNotifier = () => {
	const sent: Notification[] = [];
	const state = { isDown: false };
	const notifier: Pick<Notifier, 'notify'> = {
		notify: async (notification) => {
			if (state.isDown) throw new DomainError('dependency_failed', { dependency: 'notifier', cause: 'down' });
			sent.push(notification);
		},
	};
	return { notifier, sent, state };
};

/** The stores of a plant. */
export interface PlantStores {
	readonly store: SchemaStore;
	readonly alarms: AlarmStore;
}

/** Makes the stores of a plant in SQLite. */
export const sqliteStores = (database = openDatabase(':memory:')): PlantStores => {
	return {
		store: createSqliteSchemaStore(database, { events: eventDays, changes: forEver }),
		alarms: createSqliteAlarmStore(database, eventDays),
	};
};

/**
 * A plant with samples by topic and a clock. Variable `n` reads `topic-n` over one minute. Its alarms are saved directly, without the
 * endpoints.
 */
export const makeTickPlant = (stores: PlantStores = sqliteStores(), schema = 'plant_a') => {
	const { store, alarms } = stores;
	const samples = new Map<string, FedSample[]>();
	const { timeSeries, calls } = makeSampledTimeSeries(samples);
	const { notifier, sent, state: notifierState } = makeNotifier();
	const clock = { now: plantStart };
	const deps: TickDeps = {
		alarms,
		store,
		timeSeries,
		notifier,
		settleMs,
		definitions: createDefinitionCache(store),
		now: () => clock.now,
		newId: randomUUID,
	};
	const commit = async (rows: readonly RowCommit[]): Promise<void> => {
		const outcome = await store.commit(schema, rows);
		if (outcome !== 'committed') throw new Error(`The plant could not be changed: ${outcome}.`);
	};
	const rowOf = async (id: number): Promise<BoardRow | null> => (await store.get(schema, [{ kind: 'alarm', id }]))[0] ?? null;

	const saveVariable = async (id: number, overrides: Readonly<Record<string, unknown>> = {}): Promise<void> => {
		const [stored] = await store.get(schema, [variableKey(id)]);
		const name = `V${id}`;
		const query = makeQuery({ calc_topic: `topic-${id}`, calc_time: 1, calc_period: 1, calc_unit_period: 's' });
		const variable = { ...makeVariable({ name, unit: 'm', varsTsdb: { [name]: query }, ...overrides }), id };
		const row: VariableRow = makeVariableRow(id, {
			variable,
			version: (stored?.version ?? 0) + 1,
			rowVersion: (stored?.rowVersion ?? 0) + 1,
		});
		await commit([{ key: variableKey(id), expected: stored?.rowVersion ?? null, put: row }]);
	};
	/** @param database null: the alarm is bound to none, so it is not evaluated */
	const saveAlarm = async (id: number, overrides: Partial<Alarm> = {}, database: string | null = 'db'): Promise<void> => {
		const stored = await rowOf(id);
		const content = v.parse(alarmSchema, makeAlarmBody({ id, offDelaySeconds: 10, ...overrides }));
		const version = (stored?.version ?? 0) + 1;
		const row = { kind: 'alarm', version, rowVersion: version, board: boardOf('alarm', content) } as const;
		const put = database === null ? row : { ...row, database };
		await alarms.startEvaluation(schema, clock.now);
		await commit([{ key: { kind: 'alarm', id }, expected: stored?.rowVersion ?? null, put }]);
	};
	const deleteAlarm = async (id: number): Promise<void> => {
		const stored = await rowOf(id);
		await commit([{ key: { kind: 'alarm', id }, expected: stored?.rowVersion ?? null, put: null }]);
	};
	/** Adds samples of a topic in [from, to), by default one each second. */
	const feed = (
		topic: string,
		from: number,
		to: number,
		valueAt: (time: number) => FedSample[1],
		{ everyMs = 1000 }: { readonly everyMs?: number } = {},
	): void => {
		const list = samples.get(topic) ?? [];
		samples.set(topic, list);
		for (let time = from; time < to; time += everyMs) list.push([time, valueAt(time)]);
	};
	const runTick = (overrides: Partial<TickDeps> = {}): Promise<TickResult> => tick({ ...deps, ...overrides }, schema, noDeadline);
	/** Runs a tick each minute until a time. */
	const runUntil = async (until: number, overrides: Partial<TickDeps> = {}): Promise<readonly TickResult[]> => {
		const results: TickResult[] = [];
		for (clock.now += 60_000; clock.now <= until; clock.now += 60_000) results.push(await runTick(overrides));
		clock.now -= 60_000;
		return results;
	};
	const events = async (): Promise<readonly AlarmEvent[]> => {
		const found: AlarmEvent[] = [];
		for (let after: string | null = null; ; ) {
			const page = await alarms.events(schema, makeEventPage({ limit: 500, after }));
			found.push(...page.events);
			if (page.next === null) return found.reverse();
			after = page.next;
		}
	};
	const variables = async () => (await store.list(schema, 'variable')).map(({ variable }) => variable);
	const rows = async (id: number) => (await alarms.rowsOf(schema, [id])).rows.get(id);
	return {
		schema,
		deps,
		clock,
		samples,
		calls,
		sent,
		notifierState,
		store,
		alarms,
		saveVariable,
		saveAlarm,
		deleteAlarm,
		feed,
		runTick,
		runUntil,
		events,
		rows,
		variables,
	};
};
