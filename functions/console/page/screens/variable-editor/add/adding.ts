import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { currentTime } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { editorRequests, sendTrial } from '../variable-requests.ts';
import { readIntervals } from './add-requests.ts';
import type { ChoiceRow } from './choice.ts';
import type { Choosing } from './choosing.ts';
import { type CreateRun, createRun } from './create-run.ts';
import { unitSourcesOf } from './described.ts';
import { createDescription, type Description, isCreatable } from './description.ts';
import { lengthText } from './length-text.ts';
import { usualPattern } from './name-pattern.ts';

/** The steps after the choice of series: describing each as a variable, and creating the variables. */
export interface Adding {
	readonly description: Description;
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
	const description = describedFrom(rows.value.filter(({ key }) => chosen.value.has(key)));
	const run = signal<CreateRun | null>(null);
	const [notReady, lacksIntervals] = [signal(0), signal(false)];
	let hasCreated = false;
	void readIntervals(description.rows.value, (intervals) => {
		description.rows.value = description.rows.value.map((row) => {
			const interval = intervals.get(row.key);
			return interval === undefined ? row : { ...row, interval };
		});
	}).then((isComplete) => {
		lacksIntervals.value = !isComplete;
	});
	return {
		...{ description, run, notReady, lacksIntervals },
		choose: () => {
			isDone.value = false;
			// Series that were created have a variable now. The list of topics shows that only after it is read again.
			if (hasCreated) void topics.readAgain('');
		},
		create: () => {
			const checked = description.checked.value;
			const ready = checked.filter(({ state }) => isCreatable(state));
			const items = ready.map(({ row: { key, topic, field }, body }) => ({ key, name: body.name, topic, field, body }));
			const started = createRun(items, editorRequests.save);
			batch(() => {
				notReady.value = checked.length - ready.length;
				run.value = started;
			});
			void started.start().then(() => variables.load());
		},
		retry: async (keys) => {
			await run.value?.retry(keys);
			await variables.load();
		},
		correct: () => {
			for (const [key, { kind }] of run.value?.states.value ?? [])
				if (kind === 'created') {
					hasCreated = true;
					description.leaveOut(key);
					chosen.value = new Set([...chosen.value].filter((each) => each !== key));
				}
			run.value = null;
		},
		isUnsaved: () => {
			if (run.value === null) return description.rows.value.length > 0;
			return notReady.value > 0 || [...run.value.states.value.values()].some(({ kind }) => kind !== 'created');
		},
		stop: () => {
			run.peek()?.stop();
			description.stop();
		},
	};
}

/** Returns a description of the chosen series, sorted by topic and field, in which nothing is typed yet. */
function describedFrom(rows: readonly ChoiceRow[]): Description {
	const description = createDescription(
		{ pattern: usualPattern(rows), process: '', lookback: '' },
		{
			send: sendTrial,
			now: currentTime,
			unitSources: () => unitSourcesOf(variables.rows.value?.values() ?? []),
			lengthText,
		},
	);
	description.rows.value = rows
		.toSorted((a, b) => order.compare(a.topic, b.topic) || order.compare(a.field, b.field))
		.map(({ key, topic, field, type }) => ({ key, topic, field, type, interval: undefined, typed: {}, bits: [] }));
	return description;
}

const order = new Intl.Collator(undefined, { numeric: true });
