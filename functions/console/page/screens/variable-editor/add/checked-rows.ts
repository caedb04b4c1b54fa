import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { FieldError, Result, Schemas } from '#page/core/api.ts';
import { mayPassLater } from '#page/core/may-pass-later.ts';
import { shownOf } from '#page/core/shown.ts';
import { createTrial, type SendTrial } from '#page/core/trial.ts';
import { type BitDraft, type Draft, problemsOf, variableBodyOf } from '../draft.ts';
import type { TrialAnswer, VariableTrial, VariableTrialState } from '../variable-trial.ts';
import { createGate } from './gate.ts';
import {
	type Cells,
	cellsOf,
	draftOfRow,
	faultsByColumn,
	type GridColumn,
	type GridRow,
	type LengthText,
	type SharedFields,
	withoutTyped,
} from './grid-row.ts';
import type { UnitSource } from './unit-proposals.ts';

/** The state of a row. `no_data`: it can be created, but has no value now. `failed`: the dry run had no answer. */
export type RowState = 'ready' | 'no_data' | 'wrong' | 'trying' | 'failed';

/** Whether a row in this state can be created. */
export function isCreatable(state: RowState): boolean {
	return state === 'ready' || state === 'no_data';
}

/** A row with its texts, its draft, its problems and its dry run. */
export interface CheckedRow {
	readonly row: GridRow;
	readonly cells: Cells;
	readonly draft: Draft;
	readonly body: Schemas['VariableInput'];
	/** The problems by column, found by the page or by the dry run. `row` holds the problem that no column shows. */
	readonly faults: ReadonlyMap<GridColumn | 'row', FieldError>;
	readonly state: RowState;
	readonly trial: VariableTrial;
}

/** Rows that become variables, each with its dry run. */
export interface CheckedRows {
	readonly sharedFields: Signal<SharedFields>;
	readonly rows: Signal<readonly GridRow[]>;
	readonly checked: ReadonlySignal<readonly CheckedRow[]>;
	/** Sets the typed texts of cells. */
	type(edits: readonly { readonly key: string; readonly column: GridColumn; readonly text: string }[]): void;
	/** Sets the names of the bits of a row. */
	nameBits(key: string, bits: readonly BitDraft[]): void;
	/** Drops the typed names, processes and lookbacks of all rows, so that they follow the fields for all rows. */
	fillAll(): void;
	/** Removes a row. */
	leaveOut(key: string): void;
	/** Tries every row again, at once. */
	tryAgain(): void;
	/** Ends all dry runs. */
	stop(): void;
}

/** The dependencies of checked rows. */
interface CheckedRowsNeeds {
	readonly send: SendTrial<Schemas['VariableInput'], TrialAnswer>;
	readonly now: () => number;
	/** Stored variables with their units. */
	readonly unitSources: () => readonly UnitSource[];
	readonly lengthText: LengthText;
}

/** The most dry runs that may run at the same time. */
const mostTrials = 4;

/** The answer for a body that was changed while it waited at the gate. Nobody uses this answer. */
const outdated = { ok: false, failure: { kind: 'unreachable', status: 0, errors: {}, retryAfterMs: null } } as const;

/**
 * Creates the rows. A changed row is tried after 400 ms without another change. A few dry runs run at the same time. A late answer
 * never replaces a newer one.
 */
export function createCheckedRows(initialFields: SharedFields, needs: CheckedRowsNeeds): CheckedRows {
	const sharedFields = signal(initialFields);
	const rows = signal<readonly GridRow[]>([]);
	const trials = createTrials(needs);
	const cells = computed(() => cellsOf(rows.value, sharedFields.value, needs.unitSources(), needs.lengthText));
	const drafts = computed(() => rows.value.map((row, index) => draftedRow(row, cells.value[index])));
	const checkOf = createChecks();
	const checked = computed(() => drafts.value.map((drafted) => checkOf(drafted, trials.of(drafted.row.key))));
	const stopTrying = effect(() => {
		// A row whose interval is still being read gets other lengths soon, so it is not tried yet.
		for (const { row, body, faults } of drafts.value)
			trials.of(row.key).change(faults.size === 0 && row.interval !== undefined ? body : null);
	});
	const changeRow = (key: string, changed: (row: GridRow) => GridRow): void => {
		rows.value = rows.value.map((row) => (row.key === key ? changed(row) : row));
	};
	return {
		sharedFields,
		rows,
		checked,
		type: (edits) =>
			batch(() => {
				for (const { key, column, text } of edits) changeRow(key, (row) => ({ ...row, typed: { ...row.typed, [column]: text } }));
			}),
		nameBits: (key, bits) => changeRow(key, (row) => ({ ...row, bits })),
		fillAll: () => {
			rows.value = rows.value.map((row) => withoutTyped(row, ['name', 'process', 'lookback']));
		},
		leaveOut: (key) => {
			trials.drop(key);
			rows.value = rows.value.filter((row) => row.key !== key);
		},
		tryAgain: () => {
			for (const { key } of rows.value) trials.of(key).repeat();
		},
		stop: () => {
			stopTrying();
			trials.stop();
		},
	};
}

/** Creates the trials of the rows. They share a gate that limits how many run at the same time. */
function createTrials({ send, now }: CheckedRowsNeeds) {
	const gate = createGate(mostTrials);
	const trials = new Map<string, VariableTrial>();
	let isStopped = false;
	const create = (): VariableTrial => {
		/** The body to try; null: none. */
		let latest: Schemas['VariableInput'] | null = null;
		/** Sends a body once the gate lets it pass. If it is not the latest body any more by then, it is dropped. */
		const sendInTurn = (body: Schemas['VariableInput']): Promise<Result<TrialAnswer>> =>
			gate.pass(async () => {
				const isLatest = JSON.stringify(body) === JSON.stringify(latest);
				return isLatest && !isStopped ? send(body) : outdated;
			});
		const trial: VariableTrial = createTrial(sendInTurn, now);
		return {
			...trial,
			change: (body) => {
				latest = body;
				trial.change(body);
			},
			stop: () => {
				latest = null;
				trial.stop();
			},
		};
	};
	return {
		of: (key: string): VariableTrial => {
			const trial = trials.get(key) ?? create();
			trials.set(key, trial);
			return trial;
		},
		drop: (key: string): void => {
			trials.get(key)?.stop();
			trials.delete(key);
		},
		stop: (): void => {
			isStopped = true;
			for (const trial of trials.values()) trial.stop();
		},
	};
}

type DraftedRow = Omit<CheckedRow, 'state' | 'trial'>;

/** Returns a row with its draft, and the problems that the page finds without a dry run. */
function draftedRow(row: GridRow, cells: Cells | undefined): DraftedRow {
	if (cells === undefined) throw new RangeError('Every row has its cells.');
	const draft = draftOfRow(row, cells);
	const body = variableBodyOf(draft);
	return { row, cells, draft, body, faults: faultsByColumn(problemsOf(body), draft.name.trim(), cells) };
}

/**
 * Returns a function that checks rows. When only dry runs have changed, it returns the same object for each row whose dry run has not, so
 * that this row is not drawn again. After an edit, all rows are new objects.
 */
function createChecks(): (drafted: DraftedRow, trial: VariableTrial) => CheckedRow {
	const earlier = new WeakMap<DraftedRow, { readonly trialState: VariableTrialState; readonly checked: CheckedRow }>();
	return (drafted, trial) => {
		const trialState = trial.state.value;
		const before = earlier.get(drafted);
		if (before?.trialState === trialState) return before.checked;
		const checked = checkedRow(drafted, trial);
		earlier.set(drafted, { trialState, checked });
		return checked;
	};
}

/** Returns a row with its state: its own problems decide first, then what the dry run answered. */
function checkedRow(drafted: DraftedRow, trial: VariableTrial): CheckedRow {
	const { phase, answer, failure } = trial.state.value;
	if (drafted.faults.size > 0) return { ...drafted, trial, state: 'wrong' };
	if (phase === 'failed' && failure !== null) {
		const refused = new Map(Object.entries(failure.errors));
		const isRefused = !mayPassLater(failure) && refused.size > 0;
		const faults = isRefused ? faultsByColumn(refused, drafted.draft.name.trim(), drafted.cells) : drafted.faults;
		return { ...drafted, faults, trial, state: isRefused ? 'wrong' : 'failed' };
	}
	if (phase !== 'answered' || answer === null) return { ...drafted, trial, state: 'trying' };
	const { quality } = shownOf(answer.reading);
	if (quality === 'no_data') return { ...drafted, trial, state: 'no_data' };
	return { ...drafted, trial, state: quality === 'good' || quality === 'stale' ? 'ready' : 'wrong' };
}
