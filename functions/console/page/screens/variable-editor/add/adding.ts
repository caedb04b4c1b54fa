import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { currentTime } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { topicWithTags } from '../tag-sets.ts';
import { editorRequests, sendTrial } from '../variable-requests.ts';
import { readIntervals } from './add-requests.ts';
import { type CheckedRows, createCheckedRows, isCreatable } from './checked-rows.ts';
import type { ChoiceRow } from './choice.ts';
import type { Choosing } from './choosing.ts';
import { type CreateItem, type CreateRun, type CreateState, createRun } from './create-run.ts';
import { unitSourcesOf } from './grid-row.ts';
import { lengthText } from './length-text.ts';
import { usualPattern } from './name-pattern.ts';
import { compareNames } from './topic-path.ts';
import { rootPrefix } from './topic-store.ts';

/** The steps after the choice of series: describing each as a variable, and creating the variables. */
export interface Adding {
	readonly checkedRows: CheckedRows;
	/** Null until `create` is called, and after `correct`. */
	readonly run: ReadonlySignal<CreateRun | null>;
	/** Number of rows that were not ready when creating began. They were not created. */
	readonly notReady: ReadonlySignal<number>;
	/** Whether the interval of some series could not be read. */
	readonly lacksIntervals: ReadonlySignal<boolean>;
	/** Goes back to the choice of series. The descriptions are dropped. */
	choose(): void;
	/** Creates the rows that are ready. */
	create(): void;
	/** Tries to create rows again, and goes on with the rows that still wait. */
	retry(keys: readonly string[]): Promise<void>;
	/** Goes back to the rows that were not created. */
	correct(): void;
	/** Whether leaving would lose descriptions, or rows that were not created. */
	isUnsaved(): boolean;
	/** Ends the dry runs, and creates no further variable. */
	stop(): void;
}

/** Creates the state of adding the series that were chosen. */
export function createAdding({ topics, rows, chosen, isDone }: Choosing): Adding {
	const checkedRows = checkedRowsOf(rows.value.filter(({ key }) => chosen.value.has(key)));
	const run = signal<CreateRun | null>(null);
	const notReady = signal(0);
	const lacksIntervals = signal(false);
	/** Whether some of the chosen series became variables before `correct` was called. */
	let hasCreated = false;
	void readIntervalsOf(checkedRows).then((isComplete) => {
		lacksIntervals.value = !isComplete;
	});
	return {
		checkedRows,
		run,
		notReady,
		lacksIntervals,
		choose: () => {
			isDone.value = false;
			// Series that were created have a variable now. The list of topics shows that only after it is read again.
			if (hasCreated) void topics.readAgain(rootPrefix);
		},
		create: () => {
			const items = creatableItems(checkedRows);
			const newRun = createRun(items, editorRequests.save);
			batch(() => {
				notReady.value = checkedRows.checked.value.length - items.length;
				run.value = newRun;
			});
			void newRun.start().then(() => variables.load());
		},
		retry: async (keys) => {
			await run.value?.retry(keys);
			await variables.load();
		},
		correct: () => {
			const states = run.value?.states.value ?? new Map<string, CreateState>();
			const isCreated = (key: string): boolean => states.get(key)?.kind === 'created';
			const created = [...states.keys()].filter(isCreated);
			hasCreated ||= created.length > 0;
			for (const key of created) checkedRows.leaveOut(key);
			chosen.value = new Set([...chosen.value].filter((key) => !isCreated(key)));
			run.value = null;
		},
		isUnsaved: () => {
			if (run.value === null) return checkedRows.rows.value.length > 0;
			return notReady.value > 0 || [...run.value.states.value.values()].some(({ kind }) => kind !== 'created');
		},
		stop: () => {
			run.peek()?.stop();
			checkedRows.stop();
		},
	};
}

/** Returns rows of the chosen series, sorted by topic and field, in which nothing is typed yet. */
function checkedRowsOf(rows: readonly ChoiceRow[]): CheckedRows {
	const checkedRows = createCheckedRows(
		{ pattern: usualPattern(rows), process: '', lookback: '' },
		{
			send: sendTrial,
			now: currentTime,
			unitSources: () => unitSourcesOf(variables.rows.value?.values() ?? []),
			lengthText,
		},
	);
	checkedRows.rows.value = rows
		.toSorted((a, b) => compareNames(a.topic, b.topic) || compareNames(a.field, b.field) || compareNames(a.key, b.key))
		.map(({ key, topic, field, tags, queryTags, type }) => ({
			key,
			topic,
			field,
			tags,
			queryTags,
			type,
			interval: undefined,
			typed: {},
			bits: [],
		}));
	return checkedRows;
}

/** Reads the intervals of the described series, and puts each into its row. Returns whether all were read. */
function readIntervalsOf({ rows }: CheckedRows): Promise<boolean> {
	return readIntervals(rows.value, (intervals) => {
		rows.value = rows.value.map((row) => {
			const interval = intervals.get(row.key);
			return interval === undefined ? row : { ...row, interval };
		});
	});
}

/** Returns the variables to create: those of the rows that are ready. */
function creatableItems({ checked }: CheckedRows): readonly CreateItem[] {
	return checked.value
		.filter(({ state }) => isCreatable(state))
		.map(({ row: { key, topic, field, queryTags }, body }) => ({
			key,
			name: body.name,
			topic: topicWithTags(topic, queryTags),
			field,
			body,
		}));
}
