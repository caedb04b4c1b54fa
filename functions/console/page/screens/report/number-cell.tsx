import type { TargetedKeyboardEvent } from 'preact';
import { noNumber } from '#page/format/number.ts';
import { classNames } from '#page/parts/class-names.ts';
import { entryText } from './entry-texts.ts';
import { type CellWords, type CountedNumber, cellWords, type LineLook } from './report-cells.ts';
import { type ChangedDay, type ReportState, stateName } from './report-model.ts';
import { reportScreenText } from './texts.ts';

interface NumberCellProps {
	/** The number; null if there is none. */
	readonly counted: CountedNumber | null;
	readonly column: LineLook;
	/** Whether the column is the first of its group. */
	readonly isFirst: boolean;
	/** The number that a full bar represents; null or left out for no bar. */
	readonly bar?: number | null;
	/** Whether this person may enter the number. An empty cell can then be chosen, too. */
	readonly isFillable?: boolean;
	/** Called when the cell is chosen by a click, Enter or Space. Without it, the cell cannot be chosen. */
	readonly onChoose?: ((element: HTMLElement) => void) | undefined;
}

/** A cell with a number, its bounds below it, and a bar. */
export function NumberCell({ counted, column, isFirst, bar = null, isFillable = false, onChoose }: NumberCellProps) {
	const words = counted === null ? null : cellWords(counted, column);
	const isEmpty = words === null || words.kind === 'empty';
	return (
		<td
			// A cell without words has no look of its own: `empty` is that of a screen, which would take the cell out of its column.
			class={classNames('end', isFirst && 'first', !isEmpty && words.kind, bar !== null && 'barred')}
			style={words?.kind === 'part' ? { '--known': String(counted?.known ?? 1) } : undefined}
			{...(onChoose === undefined || (isEmpty && !isFillable) ? {} : choosable(onChoose))}
		>
			{bar !== null && counted !== null && !isEmpty && <Bar counted={counted} most={bar} />}
			{!isEmpty && <NumberWords words={words} />}
			<EntryMark column={column} isEmpty={isEmpty} isFillable={isFillable} />
		</td>
	);
}

interface EntryMarkProps {
	readonly column: LineLook;
	readonly isEmpty: boolean;
	readonly isFillable: boolean;
}

/** The sign of a number that a person has entered, or that this person may enter. */
export function EntryMark({ column, isEmpty, isFillable }: EntryMarkProps) {
	if (column.function !== 'entered' || (isEmpty && !isFillable)) return null;
	return (
		<small class="muted">
			<span aria-hidden="true"> {isEmpty ? '+' : '✎'}</span>
			<span class="sr">{isEmpty ? entryText().enter : entryText().entered}</span>
		</small>
	);
}

/** The number, and its bounds in violet. */
export function NumberWords({ words: { kind, number, bounds } }: { readonly words: CellWords }) {
	if (kind === 'none') return <b class="violet">{noNumber}</b>;
	return (
		<>
			{number !== null && <span class="n">{number}</span>}
			{bounds !== null && <small class="bound">{bounds}</small>}
		</>
	);
}

/** The sign of a rise that is more than usual, which its colour alone does not tell everybody. */
export function BeyondSign() {
	return (
		<>
			<span aria-hidden="true">▲ </span>
			<span class="sr">{reportScreenText().beyond} </span>
		</>
	);
}

interface StateCellProps {
	readonly state: ReportState;
	readonly changed: readonly ChangedDay[];
	readonly onChoose: (element: HTMLElement) => void;
}

/** The state of the days of a row: sealed or not, and whether they would have other numbers now. */
export function StateCell({ state, changed, onChoose }: StateCellProps) {
	return (
		<td class="day-state" {...choosable(onChoose)}>
			{stateWord(state, changed)}
		</td>
	);
}

/** Returns the words of a state. A changed day is violet, because its numbers would be different now, and so is one that cannot be read. */
export function stateWord(state: ReportState, changed: readonly ChangedDay[]) {
	const name = stateName(state, changed);
	return changed.length === 0 && state !== 'unreadable' ? name : <b class="violet">{name}</b>;
}

/** A bar that compares a number with the greatest one. Its certain part is filled, and its possible part is hatched. */
function Bar({ counted: { value, low, high }, most }: { readonly counted: CountedNumber; readonly most: number }) {
	/** Returns the width of a number's part, in percent of that of the greatest number. */
	const widthOf = (number: number): string => `${most > 0 ? (100 * Math.max(0, number)) / most : 0}%`;
	// Without a lower bound, the number itself is certain.
	const certain = low ?? value ?? 0;
	const possible = Math.max(0, (high ?? certain) - certain);
	return (
		<span class="report-bar" aria-hidden="true">
			<i style={{ width: widthOf(certain) }} />
			{possible > 0 && <u style={{ width: widthOf(possible) }} />}
		</span>
	);
}

/** Returns the properties of a cell that can be chosen. The table moves the focus to it, so it is no stop of the Tab key itself. */
function choosable(onChoose: (element: HTMLElement) => void) {
	return {
		'data-cell': '',
		tabIndex: -1,
		onClick: (event: { readonly currentTarget: HTMLElement }) => onChoose(event.currentTarget),
		onKeyDown: (event: TargetedKeyboardEvent<HTMLElement>) => {
			if (event.key !== 'Enter' && event.key !== ' ') return;
			event.preventDefault();
			onChoose(event.currentTarget);
		},
	};
}
