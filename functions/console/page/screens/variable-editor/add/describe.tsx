import { untracked, useSignal, useSignalEffect } from '@preact/signals';
import { variables } from '#page/core/definitions.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { mayDiscard } from '#page/parts/use-editing.ts';
import { WriteButton } from '#page/parts/write-button.tsx';
import { editorText } from '../editor-texts.ts';
import { knownProcesses } from '../known-variables.ts';
import { AddHead } from './add-head.tsx';
import type { Adding } from './adding.ts';
import { type CheckedRows, isCreatable, type RowState } from './checked-rows.ts';
import { DescribeGrid } from './describe-grid.tsx';
import { describeText } from './describe-texts.ts';
import { processListId, type SharedFields } from './grid-row.ts';
import { unknownPlaceholders } from './name-pattern.ts';

interface DescriptionProps {
	readonly checkedRows: CheckedRows;
}

/** The step that describes the new variables: the fields for all rows, and the grid with a row for each variable. */
export function Describe({ adding }: { readonly adding: Adding }) {
	const text = describeText();
	const { checkedRows } = adding;
	const checked = checkedRows.checked.value;
	const isTrying = checked.some(({ state }) => state === 'trying');
	const creatableCount = checked.filter(({ state }) => isCreatable(state)).length;
	const create = useCreate(adding);
	const back = (): void => {
		const isChanged = checkedRows.rows.value.some(({ typed, bits }) => Object.keys(typed).length > 0 || bits.length > 0);
		if (mayDiscard({ isChanged: { value: isChanged } })) adding.choose();
	};
	return (
		<>
			<AddHead step="describe">
				<Button onClick={back}>{text.back}</Button>
				<Button icon="i-refresh" onClick={checkedRows.tryAgain}>
					{text.checkAgain}
				</Button>
				<WriteButton
					look="primary"
					// Until the stored variables are read, the units that follow theirs are missing.
					disabled={(creatableCount === 0 && !isTrying) || variables.rows.value === undefined}
					onClick={create}
				>
					{text.create(creatableCount, checked.length)}
				</WriteButton>
			</AddHead>
			{adding.lacksIntervals.value && <Banner look="doubt">{text.intervalsUnread}</Banner>}
			<SharedFieldsForm checkedRows={checkedRows} />
			<DescribeGrid checkedRows={checkedRows} />
		</>
	);
}

/**
 * Returns a function that creates the rows that are ready. A cell that is still typed in when the button is pressed changes its row, and
 * the row is tried again. Creating waits for that trial, and does not begin if the trial has brought a new error.
 */
function useCreate({ checkedRows, create }: Adding): () => void {
	/** Number of rows with errors when the button was pressed; null while creating does not wait for a trial. */
	const wrongWhenPressed = useSignal<number | null>(null);
	const countOf = (wanted: RowState): number => checkedRows.checked.value.filter(({ state }) => state === wanted).length;
	useSignalEffect(() => {
		const wrongBefore = wrongWhenPressed.value;
		if (wrongBefore === null || countOf('trying') > 0) return;
		wrongWhenPressed.value = null;
		if (countOf('wrong') <= wrongBefore) untracked(create);
	});
	return () => {
		wrongWhenPressed.value = countOf('wrong');
	};
}

/** The fields that apply to all rows, and the number of rows that are ready. */
function SharedFieldsForm({ checkedRows }: DescriptionProps) {
	const text = describeText();
	const { pattern, process, lookback } = checkedRows.sharedFields.value;
	const change = (part: Partial<SharedFields>): void => {
		checkedRows.sharedFields.value = { ...checkedRows.sharedFields.value, ...part };
	};
	const unknown = unknownPlaceholders(pattern, checkedRows.rows.value);
	return (
		<section class="panel of-all">
			<TextField
				label={text.pattern}
				value={pattern}
				error={unknown.length === 0 ? undefined : text.noPlaces(unknown.join(', '))}
				spellcheck={false}
				onText={(typed) => change({ pattern: typed })}
			/>
			<TextField
				label={text.processOfAll}
				value={process}
				placeholder={text.ofTopic}
				list={processListId}
				onText={(typed) => change({ process: typed })}
			/>
			<TextField
				label={editorText().lookback}
				value={lookback}
				placeholder={text.ofSeries}
				onText={(typed) => change({ lookback: typed })}
			/>
			<datalist id={processListId}>
				{knownProcesses.value.map((name) => (
					<option key={name} value={name} />
				))}
			</datalist>
			<Button onClick={checkedRows.fillAll}>{text.fillIn}</Button>
			<States checkedRows={checkedRows} />
		</section>
	);
}

/** How many rows are ready, without data, wrong and being tried, for the eye and for screen readers. */
function States({ checkedRows }: DescriptionProps) {
	const text = describeText();
	const states = checkedRows.checked.value.map(({ state }) => state);
	const count = (...wanted: readonly RowState[]): number => states.filter((state) => wanted.includes(state)).length;
	// A row whose dry run had no answer is neither ready nor wrong, so it counts as being tried.
	const untried = count('trying', 'failed');
	const words = [
		text.ready(count('ready')),
		count('no_data') > 0 && text.withoutData(count('no_data')),
		count('wrong') > 0 && text.errors(count('wrong')),
		untried > 0 && text.tried(untried),
	];
	return (
		<p class="add-states strong" role="status">
			{words.filter((word) => word !== false).join(' · ')}
		</p>
	);
}
