import { machineSecrets } from '#adapters/machine-secrets.ts';
import { secretIdOf } from '#domain/access/machine.ts';
import { machineChange } from '#domain/access/machine-change.ts';
import { type AlarmOperation, acknowledgement, shelving } from '#domain/alarm/alarm-operation.ts';
import { type AlarmEvent, alarmOfEvent } from '#domain/alarm-rows/alarm-event.ts';
import type { EvaluatorState } from '#domain/alarm-rows/alarm-rows.ts';
import type { Alarm } from '#domain/board/alarm.ts';
import { boardName, boardOf, parseBoard } from '#domain/board/board.ts';
import { type BoardKind, boardKinds } from '#domain/board/board-kinds.ts';
import { isoTime } from '#domain/calendar/iso-time.ts';
import { type Change, toolOrigin } from '#domain/changes/change-entry.ts';
import { itemKeyText } from '#domain/changes/change-key.ts';
import { chunksOf } from '#domain/chunks-of.ts';
import { dayMs, hourMs } from '#domain/milliseconds.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import { type AlarmStore, noRows } from '#domain/ports/alarm-store.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import { type BoardKey, type BoardRow, idOfRow, maxRowsPerCommit, type RowCommit } from '#domain/ports/schema-store.ts';
import { panelKey, variableKey } from '#domain/transaction/read-set.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { saveCorrection } from '#domain/use-cases/save-correction.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveReport } from '#domain/use-cases/save-report.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { createSqliteChangeJournal } from '../adapters/sqlite/sqlite-change-journal.ts';
import { openDatabase } from '../adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '../adapters/sqlite/sqlite-schema-store.ts';
import type { KeyValueStore } from '../wiring/state.ts';
import type { Stores } from '../wiring/stores.ts';
import { demoMachine, demoTenants, demoUsers, plantA } from './idp.ts';
import { plantSeries, samplesOf } from './plant/sensors.ts';
import { initialState } from './plant/state.ts';
import demo from './plant-a.json' with { type: 'json' };
import alarmDemo from './plant-a-alarms.json' with { type: 'json' };
import balanceDemo from './plant-a-balance.json' with { type: 'json' };
import counterDemo from './plant-a-counters.json' with { type: 'json' };
import diagramDemo from './plant-a-diagram.json' with { type: 'json' };
import reportDemo from './plant-a-report.json' with { type: 'json' };

/** The name of the flag that the people were registered. */
const usersSeeded = 'seeded-users';

/**
 * Registers the people of the demo tenants, and gives their roles to those who have none. With `flags`, it does so only once,
 * so that a deleted person stays deleted.
 */
export async function seedUsers({ users, people }: Pick<Stores, 'users' | 'people'>, flags?: KeyValueStore): Promise<void> {
	if ((await flags?.get(usersSeeded)) === true) return;
	for (const { userId, email, firstName, lastName, clientId, schema, role } of demoUsers) {
		await users.put({ id: userId, email, firstName, lastName, clientId });
		if (role !== undefined && (await people.find(schema, email)) === null)
			await people.setRole(schema, email, role, { origin: toolOrigin('demo'), at: Date.now(), session: null });
	}
	await flags?.set(usersSeeded, true);
}

/**
 * Stores the demo, unless plant_a was ever written to. One commit holds all definitions: those of `plant-a.json`, the alarms of
 * `plant-a-alarms.json`, the drawing of `plant-a-diagram.json` in place of the first diagram, the totalizers of `plant-a-counters.json` with a
 * correction, and the reports of `plant-a-report.json` and `plant-a-balance.json`. The journal of changes, the states of alarms and the machine follow.
 * @param now epoch milliseconds
 */
export async function seedPlant(
	{ store, alarms, ...access }: Pick<Stores, 'store' | 'alarms' | 'machines' | 'owners'>,
	now: number,
): Promise<void> {
	const { schema } = plantA;
	if ((await store.revision(schema)).revision > 0) return;
	const { rows, changes, lastId } = await demoRows(now);
	// Takes the ids of the demo, so that later saves get others.
	for (let id = 1; id <= lastId; id += 1) await store.nextId(schema);
	await alarms.startEvaluation(schema, now);
	const outcome = await store.commit(schema, rows);
	if (outcome !== 'committed') throw new Error(`The demo could not be stored: ${outcome}`);
	// Commits of no rows and without an idempotency record: they only add to the journal.
	for (const part of chunksOf(maxRowsPerCommit, changes)) await store.commit(schema, [], undefined, { changes: part });
	await seedAlarmStates(alarms, rows, now);
	await seedMachine(access, now);
}

/** Stores the machine of plant_a and the owner of plant_a. A machine signs in for that owner. */
async function seedMachine({ machines, owners }: Pick<Stores, 'machines' | 'owners'>, now: number): Promise<void> {
	const { schema, database, clientId: owner, email } = plantA;
	const hash = machineSecrets.hash(demoMachine.secret);
	const id = secretIdOf(hash);
	const machine = {
		clientId: demoMachine.clientId,
		schema,
		database,
		owner,
		name: 'grafana',
		role: 'viewer',
		expiresAt: now + 365 * dayMs,
		createdBy: email,
		createdAt: now,
		lastUsedAt: null,
		secrets: [{ id, createdAt: now }],
		hashes: { [id]: hash },
		version: 1,
	} as const;
	await owners.claim(
		[
			{ kind: 'schema', name: schema },
			{ kind: 'database', name: database },
		],
		owner,
	);
	const replaced = null;
	await machines.save(machine, replaced, machineChange({ before: replaced, after: machine }, toolOrigin('demo'), now));
}

/** Binds alarms of the demo tenants to the database of their tenant. A version without evaluation stored them unbound. */
export async function bindDemoAlarms({ store, alarms }: Pick<Stores, 'store' | 'alarms'>, now: number): Promise<void> {
	for (const { schema, database } of demoTenants) {
		const unbound = (await store.list(schema, 'alarm')).filter((row) => row.database === undefined);
		if (unbound.length > 0) await alarms.startEvaluation(schema, now);
		for (const row of unbound) {
			const put = { ...row, rowVersion: row.rowVersion + 1, database };
			// A refusal needs no retry: somebody else saved the alarm at this moment, and saving binds it.
			await store.commit(schema, [{ key: { kind: row.kind, id: idOfRow(row) }, expected: row.rowVersion, put }]);
		}
	}
}

/** The demo as it is stored, the changes that led to it, and the last id. */
interface DemoRows {
	readonly rows: readonly RowCommit[];
	readonly changes: readonly Change[];
	readonly lastId: number;
}

/**
 * Returns the rows that result from saving everything into an empty schema. Ids follow the order in the files. A chart is saved and
 * deleted at the end, so that there is something to restore.
 */
async function demoRows(now: number): Promise<DemoRows> {
	const { schema, database } = plantA;
	const memory = openDatabase(':memory:');
	const store = createSqliteSchemaStore(memory);
	const deps = { store, pause: async () => undefined, now: () => now, origin: toolOrigin('demo') };
	const save = async (
		variables: readonly object[],
		boards: Readonly<Partial<Record<BoardKind, readonly object[]>>>,
	): Promise<void> => {
		for (const variable of variables) await saveVariable(deps, schema, parseVariable({ ...variable, id: 0 }));
		for (const kind of boardKinds)
			for (const board of boards[kind] ?? []) await saveBoard(deps, schema, boardOf(kind, parseBoard(kind, { ...board, id: 0 })));
	};
	await save(demo.variables, demo.boards);
	const panel = await savePanel(deps, schema, parsePanel(demo.panel));
	await save(alarmDemo.variables, { alarm: alarmDemo.alarms });
	await saveBoard(deps, schema, boardOf('diagram', parseBoard('diagram', diagramDemo)));
	await save(counterDemo.variables, {});
	await saveCorrection(deps, schema, boardOf('correction', parseBoard('correction', demoCorrection(now))));
	const [firstChart] = await store.list(schema, 'chart');
	if (firstChart !== undefined) {
		const { board } = firstChart;
		const oldChart = parseBoard('chart', { ...board.content, id: 0, title: `${boardName(board)} (old)` });
		await deleteBoard(deps, schema, keyOfBoard(await saveBoard(deps, schema, boardOf('chart', oldChart))));
	}
	await saveReport(deps, { schema, database }, boardOf('report', parseBoard('report', { ...reportDemo, id: 0 })));
	await saveReport(deps, { schema, database }, boardOf('report', parseBoard('report', demoBalance(now))));
	const variables = await store.list(schema, 'variable');
	const boards = await Promise.all(boardKinds.map((kind) => store.list(schema, kind)));
	const rows = [
		...variables.map((row) => ({ key: variableKey(row.variable.id), expected: null, put: row })),
		...boards.flat().map((row) => ({
			key: { kind: row.kind, id: row.board.content.id },
			expected: null,
			// `saveBoard` knows no database, so it binds no alarm to one.
			put: row.kind === 'alarm' ? { ...row, database } : row,
		})),
		{ key: panelKey, expected: null, put: panel },
	];
	return {
		rows,
		changes: await changesOf(createSqliteChangeJournal(memory), schema),
		lastId: (await store.schemaMetadata(schema)).lastId,
	};
}

/** A correction of the distribution flow, which is the 13th variable: its meter was cleaned for half an hour, five hours ago. */
const demoCorrection = (now: number) => ({
	id: 0,
	varId: 13,
	type: 'exclude',
	from: now - 5 * hourMs,
	to: now - 4.5 * hourMs,
	reason: 'Flow meter cleaned',
});

/** The report of quality and losses. The nights of its reference ended a week ago. */
const demoBalance = (now: number) => ({
	...balanceDemo,
	id: 0,
	lines: balanceDemo.lines.map((line) =>
		line.reference === undefined
			? line
			: {
					...line,
					reference: {
						...line.reference,
						from: isoTime(now - (line.reference.nights + 7) * dayMs).slice(0, '2026-09-01'.length),
					},
				},
	),
});

const keyOfBoard = ({ kind, board }: BoardRow): BoardKey => ({ kind, id: board.content.id });

/** Returns every change of a small journal. */
async function changesOf(journal: ChangeJournal, schema: string): Promise<readonly Change[]> {
	const entries = await journal.all(schema);
	const items = new Map(entries.map((entry) => [itemKeyText(entry), entry]));
	const firstVersion = 0;
	const histories = [...items.values()].map((item) => journal.history(schema, item, firstVersion, entries.length));
	return (await Promise.all(histories)).flat();
}

/** The names of the alarms of `plant-a-alarms.json` that an operator has handled. */
const acknowledgedAlarm = 'Chlorine stock low';
const shelvedAlarm = 'Raw tank in use';

const shelfMs = 7 * dayMs;

/** How long the acknowledged alarm was active before somebody acknowledged it. */
const unacknowledgedMs = 60_000;

/** Stores what an operator did before the demo begins: acknowledged one critical alarm, and shelved another alarm for a week. */
async function seedAlarmStates(alarms: AlarmStore, rows: readonly RowCommit[], now: number): Promise<void> {
	// Evaluation works in whole seconds.
	const at = Math.floor(now / 1000) * 1000;
	const operation: AlarmOperation = { user: { kind: 'person', id: plantA.email, name: plantA.email }, comment: null, now: at };
	for (const { put: row } of rows) {
		if (row?.kind !== 'alarm' || row.board.kind !== 'alarm') continue;
		const alarm = row.board.content;
		if (alarm.name === acknowledgedAlarm) {
			const state = activeState(row.version, at);
			const commit = acknowledgement({ row, rows: { ...noRows, state } }, state.occurrence, operation);
			const journaledAlarm = alarmOfEvent(alarm, { version: row.version, unit: unitOf(rows, alarm) });
			const events = [raisedEvent(alarm.id, journaledAlarm, state, at), ...(commit.events ?? [])];
			await alarms.commit(plantA.schema, { ...commit, state: { expected: null, put: state }, events });
		}
		if (alarm.name === shelvedAlarm) {
			const shelf = { ...operation, comment: 'The sensor is being calibrated.' };
			await alarms.commit(plantA.schema, shelving({ row, rows: noRows }, at + shelfMs, shelf));
		}
	}
}

/** Returns the unit of the variable of an alarm. */
function unitOf(rows: readonly RowCommit[], { varId }: Alarm): string | null {
	const row = rows.find(({ put }) => put?.kind === 'variable' && put.variable.id === varId)?.put;
	return row?.kind === 'variable' ? row.variable.unit : null;
}

/** The state of an alarm whose condition began to hold a little before `at`. */
const activeState = (version: number, at: number): EvaluatorState => ({
	rowVersion: 1,
	// The second version is that of the alarm's variable, which was saved once.
	basis: [version, 1],
	until: at,
	on: true,
	pendingSince: null,
	uncertainSince: null,
	lastUsableAt: at,
	silent: false,
	cause: 'condition',
	since: at - unacknowledgedMs,
	occurrence: 1,
	seq: 1,
	value: stockAt(at - unacknowledgedMs),
});

/** The chlorine in stock in %. It depends on the time alone, so any state of the plant will do. */
function stockAt(at: number): number | null {
	const sample = samplesOf(initialState, at).find(({ topic }) => topic === plantSeries.chlorineStock.topic);
	return typeof sample?.value === 'number' ? sample.value : null;
}

/** The entry that says that the alarm was raised. */
const raisedEvent = (
	alarmId: number,
	alarm: AlarmEvent['alarm'],
	{ since, occurrence, seq, value }: EvaluatorState,
	recordedAt: number,
): AlarmEvent => ({
	time: since ?? recordedAt,
	recordedAt,
	alarmId,
	origin: { writer: 'evaluator', number: seq },
	occurrence,
	kind: 'raised',
	cause: 'condition',
	value,
	quality: 'good',
	inputs: [],
	user: null,
	comment: null,
	alarm,
});
