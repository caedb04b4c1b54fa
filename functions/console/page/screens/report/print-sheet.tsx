import { currentTime } from '#page/core/clock.ts';
import { session } from '#page/core/session.ts';
import { formatDateTime, zoneName } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { classNames } from '#page/parts/class-names.ts';
import { reportText } from '#page/reports/report-texts.ts';
import { NumberWords, stateWord } from './number-cell.tsx';
import { type CountedNumber, cellWords, changeWords, shareText } from './report-cells.ts';
import { clockIn, dayName, spanName, spanTitle } from './report-labels.ts';
import { leastKnown, numberIn, type ReportColumn, type ReportModel, type ReportRow, type ReportState } from './report-model.ts';
import { rowLengths } from './report-periods.ts';
import { sheetsOf } from './sheet-columns.ts';
import { reportScreenText } from './texts.ts';

/** The orientation of a sheet. */
export type Paper = 'portrait' | 'landscape';

interface PrintSheetProps {
	readonly model: ReportModel;
	readonly paper: Paper;
	/** The version of the report; undefined if the report was deleted. */
	readonly version: number | undefined;
}

/**
 * The report for A4: black on white, with the state of each day. In portrait, the bounds of numbers are in notes; in landscape, they are
 * beside the numbers.
 */
export function PrintSheet({ model, paper, version }: PrintSheetProps) {
	const text = reportScreenText();
	const { report } = model.period;
	const sheets = sheetsOf(model.columns);
	return (
		<div class={classNames('sheets', paper)}>
			{sheets.map((columns) => (
				<section key={columns[0]?.line.key} class="sheet">
					<SheetHead model={model} />
					<SheetTable model={model} columns={columns} paper={paper} />
					<Notes model={model} columns={columns} paper={paper} />
					<p class="sheet-foot">
						{text.legendDays(report.dayStart, report.timeZone)} {version !== undefined && `${text.reportVersion(version)}.`}
					</p>
				</section>
			))}
			{paper === 'portrait' && (
				<div class="signatures">
					{text.signatures.map((name) => (
						<span key={name}>{name}</span>
					))}
				</div>
			)}
		</div>
	);
}

function SheetHead({ model: { period, calendar } }: Pick<PrintSheetProps, 'model'>) {
	const text = reportScreenText();
	const { view, span, compared, report } = period;
	const now = currentTime();
	return (
		<header>
			<div>
				<h2>
					{report.title} · {spanTitle(view.length, span, calendar)}
				</h2>
				<p>
					{session.value?.schema}
					{compared !== null && ` · ${text.comparedTo(spanName(view.length, compared.span, calendar, ''))}`}
				</p>
			</div>
			<div class="end">
				<p>Caudal</p>
				<p>{text.printedBy(`${formatDateTime(now)} ${zoneName(now)}`, session.value?.email ?? '')}</p>
			</div>
		</header>
	);
}

interface SheetTableProps extends Pick<PrintSheetProps, 'model' | 'paper'> {
	readonly columns: readonly ReportColumn[];
}

function SheetTable({ model, columns, paper }: SheetTableProps) {
	const text = reportScreenText();
	const { period, rows, calendar } = model;
	const { view, span, compared, report } = period;
	const counted = { ...span, end: report.bounds.at(-1) ?? span.end };
	const sumRow = (
		name: string,
		state: ReportState | null,
		changed: ReportRow['changed'],
		numberOf: (column: ReportColumn) => CountedNumber | null,
	) => (
		<SheetRow
			name={name}
			state={state}
			changed={changed}
			numberOf={numberOf}
			columns={columns}
			all={model.columns}
			paper={paper}
		/>
	);
	return (
		<table>
			<thead>
				<tr>
					<th scope="col">{commonText().lengths[rowLengths[view.length]]}</th>
					{columns.map((column, index) => (
						<th key={column.line.key} scope="col" class="end">
							{column.line.group !== columns[index - 1]?.line.group && <i>{column.line.group}</i>}
							<span>{column.line.name}</span>
							<small>{column.sub}</small>
						</th>
					))}
					<th scope="col" class="end">
						<span>{text.known}</span>
						<small>%</small>
					</th>
					<th scope="col">{commonText().state}</th>
				</tr>
			</thead>
			<tbody class="sums">
				{sumRow(spanName(view.length, counted, calendar, span.date), model.state, report.changed, (column) => column.line.total)}
				{compared !== null &&
					sumRow(spanName(view.length, compared.span, calendar, span.date), null, [], (column) => column.compared)}
				{compared !== null && (
					<tr>
						<th scope="row">{text.change}</th>
						{columns.map((column) => (
							<td key={column.line.key} class="end">
								{column.compared !== null && changeWords(column.line.total, column.compared, column).bounds}
							</td>
						))}
						<td />
						<td />
					</tr>
				)}
			</tbody>
			<tbody>
				{rows.map((row) => {
					const { window } = row;
					const state = view.length === 'day' ? null : row.state;
					return (
						<SheetRow
							key={row.start}
							name={row.name}
							state={state}
							changed={row.changed}
							isRuledOff={row.isRuledOff}
							numberOf={(column) => (window === null ? null : numberIn(column, window))}
							columns={columns}
							all={model.columns}
							paper={paper}
						/>
					);
				})}
			</tbody>
		</table>
	);
}

interface SheetRowProps {
	readonly name: string;
	readonly state: ReportState | null;
	readonly changed: ReportRow['changed'];
	/** Whether a stronger rule is drawn below the row. */
	readonly isRuledOff?: boolean;
	readonly numberOf: (column: ReportColumn) => CountedNumber | null;
	readonly columns: readonly ReportColumn[];
	/** The lines of all sheets, because the known share is that of the whole report. */
	readonly all: readonly ReportColumn[];
	readonly paper: Paper;
}

function SheetRow({ name, state, changed, isRuledOff = false, numberOf, columns, all, paper }: SheetRowProps) {
	const known = leastKnown(all, (column) => numberOf(column)?.known ?? null);
	return (
		<tr class={isRuledOff ? 'last' : undefined}>
			<th scope="row">{name}</th>
			{columns.map((column) => {
				const counted = numberOf(column);
				const words = counted === null ? null : cellWords(counted, column);
				return (
					<td key={column.line.key} class="end">
						{words !== null &&
							words.kind !== 'empty' &&
							// In portrait, the bounds are in a note, so the cell has only the number.
							(paper === 'portrait' && words.number !== null ? words.number : <NumberWords words={words} />)}
					</td>
				);
			})}
			<td class="end">{shareText(known)}</td>
			<td>{state !== null && stateWord(state, changed)}</td>
		</tr>
	);
}

/** Notes about rows that are incomplete, changed or not over. In portrait, they include the bounds of numbers. */
function Notes({ model, columns, paper }: SheetTableProps) {
	const text = reportScreenText();
	const { rows, period, calendar } = model;
	const notes = rows.flatMap((row) => {
		const { window } = row;
		if (window === null) return [];
		const end = period.report.bounds[window + 1] ?? row.end;
		const known = leastKnown(columns, (column) => numberIn(column, window).known);
		const bounds = columns.flatMap((column) => {
			const words = cellWords(numberIn(column, window), column);
			return words.kind === 'part' && words.bounds !== null
				? [`${column.line.name} ${words.bounds} ${column.line.unit}`.trim()]
				: [];
		});
		const parts = [
			...(end < row.end ? [text.until(clockIn(end, calendar))] : []),
			...(known !== null && known < 1 ? [reportText().known(shareText(known))] : []),
			...(paper === 'portrait' ? bounds : []),
			...row.changed.map(
				({ date, causes }) => `${dayName(date)} ${text.changedState}: ${causes.map((cause) => text.causes[cause]).join(', ')}`,
			),
		];
		return parts.length === 0 ? [] : [{ key: row.start, name: row.name, words: parts.join('; ') }];
	});
	const sums = columns.flatMap((column) => {
		const words = cellWords(column.line.total, column);
		return paper === 'portrait' && words.kind === 'part' && words.bounds !== null
			? [`${column.line.name} ${words.bounds} ${column.line.unit}`.trim()]
			: [];
	});
	return (
		<div class="sheet-notes">
			{paper === 'landscape' && <p>{text.italic}</p>}
			{sums.length > 0 && (
				<p>
					<b>{spanTitle(period.view.length, period.span, calendar)}:</b> {sums.join('; ')}.
				</p>
			)}
			{notes.map(({ key, name, words }) => (
				<p key={key}>
					<b>{name}:</b> {words}.
				</p>
			))}
		</div>
	);
}
