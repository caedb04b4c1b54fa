import type { TargetedKeyboardEvent } from 'preact';
import { maxLines } from '#domain/board/line.ts';
import { variables } from '#page/core/definitions.ts';
import { noNumber } from '#page/format/number.ts';
import { formatWeekday } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { DataTable, type TableColumn } from '#page/parts/data-table.tsx';
import { OrderButtons } from '#page/parts/order-buttons.tsx';
import { WrongFields } from '#page/parts/wrong-fields.tsx';
import type { LineDraft } from '#page/reports/line-draft.ts';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { reportText } from '#page/reports/report-texts.ts';
import { lineInput, lineName, lineWordsOf } from './line-words.ts';
import type { ReportTrialState } from './report-trial.ts';
import { editorText } from './texts.ts';
import type { LineEdits } from './use-line-edits.ts';

interface LineTableProps {
	readonly draft: ReportDraft;
	readonly edits: LineEdits;
	readonly trial: ReportTrialState;
	/** Returns how many fields of the line at an index are shown as wrong. */
	readonly wrongCountOf: (index: number) => number;
	readonly disabled: boolean;
}

/** The lines of a report with their numbers of yesterday. Alt with an arrow key moves the row with the focus. */
export function LineTable(props: LineTableProps) {
	const { draft, edits, disabled } = props;
	const text = editorText();
	const { lines } = draft;
	return (
		<section
			onKeyDownCapture={(event) => {
				if (!disabled) moveRow(event, edits);
			}}
		>
			<div class="panel-head">
				<h2>{text.lines}</h2>
				<span class="muted">{lines.length < maxLines ? text.eachColumn : text.full(maxLines)}</span>
				<Button small disabled={disabled} aria-disabled={lines.length >= maxLines} onClick={edits.add} data-add>
					{text.addLine}
				</Button>
			</div>
			{lines.length === 0 ? (
				<p class="muted">{text.none}</p>
			) : (
				<DataTable
					class="report-lines"
					caption={text.lines}
					rows={lines}
					keyOf={({ id }) => id}
					selected={edits.selected.value}
					onSelect={({ id }) => edits.select(id)}
					columns={columnsOf(props)}
				/>
			)}
		</section>
	);
}

function columnsOf({ draft, edits, trial, wrongCountOf, disabled }: LineTableProps): readonly TableColumn<LineDraft>[] {
	const text = editorText();
	const { lines } = draft;
	const [yesterday] = trial.answer?.bounds ?? [];
	return [
		{ key: 'group', head: text.group, look: 'wide', cell: (line) => groupOf(lines, line) },
		{
			key: 'name',
			head: commonText().name,
			isRowHead: true,
			look: 'wide',
			cell: (line) => (
				<span data-line={line.id}>
					<WrongFields count={wrongCountOf(lines.indexOf(line))} /> {lineName(line)}
				</span>
			),
		},
		{ key: 'what', head: text.what, look: 'wide', cell: (line) => reportText().functions[line.function] },
		{ key: 'of', head: text.of, look: 'wide', cell: (line) => <LineOf line={line} /> },
		{
			key: 'yesterday',
			head: yesterday === undefined ? text.yesterday : formatWeekday(yesterday, draft.timeZone),
			look: 'end',
			cell: (line) => <LineNumber line={line} trial={trial} />,
		},
		{
			key: 'actions',
			head: commonText().actions,
			look: 'buttons',
			cell: (line) => (
				<OrderButtons
					item={String(line.id)}
					name={lineName(line)}
					isFirst={line === lines[0]}
					isLast={line === lines.at(-1)}
					disabled={disabled}
					onMove={(step) => edits.move(line.id, step, `[data-act="${step < 0 ? 'up' : 'down'} ${line.id}"]`)}
					onRemove={() => edits.remove(line.id)}
				/>
			),
		},
	];
}

/** Moves the row that has the focus up or down if the key is Alt with an arrow key. The row keeps the focus. */
function moveRow(event: TargetedKeyboardEvent<HTMLElement>, edits: LineEdits): void {
	if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
	const row = event.target instanceof Element ? event.target.closest('tr') : null;
	const id = row?.querySelector<HTMLElement>('[data-line]')?.dataset['line'];
	if (id === undefined) return;
	event.preventDefault();
	event.stopPropagation();
	edits.move(Number(id), event.key === 'ArrowUp' ? -1 : 1, `tr:has([data-line="${id}"])`);
}

/** Returns the name of the group for the first row of the group, and an empty text for its other rows. */
function groupOf(lines: readonly LineDraft[], line: LineDraft): string {
	const before = lines[lines.indexOf(line) - 1];
	return before?.group === line.group ? '' : line.group;
}

/** What a line counts: its variable with the hours, its formula, or its alarms. */
function LineOf({ line }: { readonly line: LineDraft }) {
	return <span class={line.function === 'formula' ? 'mono' : undefined}>{lineInput(line, variables.rows.value)}</span>;
}

interface LineNumberProps {
	readonly line: LineDraft;
	readonly trial: ReportTrialState;
}

/** The number of a line for yesterday. It is grey while a newer number is being counted, and if the day is not fully known. */
function LineNumber({ line, trial }: LineNumberProps) {
	const triedLine = trial.answer?.lines.find(({ key }) => key === line.key);
	if (triedLine === undefined) return <span class="muted">{noNumber}</span>;
	const { number, bounds, isWhole } = lineWordsOf(triedLine, line);
	return (
		<span class={isWhole && trial.phase === 'answered' ? undefined : 'muted'} title={bounds ?? undefined}>
			{number ?? noNumber} {number !== null && line.unit}
		</span>
	);
}
