import { currentTime } from '#page/core/clock.ts';
import { personName, session } from '#page/core/session.ts';
import { formatDated, zoneName } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { classNames } from '#page/parts/class-names.ts';
import { reportText } from '#page/reports/report-texts.ts';
import { BeyondSign, NumberWords, stateWord } from './number-cell.tsx';
import { type NumberFactsInput, numberFacts, termsOf } from './number-facts.ts';
import { boundsAlone, type CountedNumber, cellWords, changeWords, shareText } from './report-cells.ts';
import { clockIn, spanName, spanTitle } from './report-labels.ts';
import {
	changesByCauses,
	changesText,
	leastKnown,
	numberIn,
	type ReportColumn,
	type ReportModel,
	type ReportRow,
	type ReportState,
} from './report-model.ts';
import { rowLengths } from './report-periods.ts';
import type { ViewLength } from './report-view.ts';
import { riseWords } from './rise-words.ts';
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
					{compared !== null && ` · ${text.comparedTo(spanName(view.length, compared.span, calendar))}`}
				</p>
			</div>
			<div class="end">
				<p>Caudal</p>
				<p>{text.printedBy(`${formatDated(now)} ${zoneName(now)}`, personName.value ?? '')}</p>
			</div>
		</header>
	);
}

interface SheetTableProps extends Pick<PrintSheetProps, 'model' | 'paper'> {
	readonly columns: readonly ReportColumn[];
}

function SheetTable({ model, columns, paper }: SheetTableProps) {
	const { period, rows } = model;
	const { length } = period.view;
	const lineProps = { columns, all: model.columns, paper };
	return (
		<table>
			<TableHead length={length} columns={columns} />
			<tbody class="sums">
				<SumRows model={model} columns={columns} paper={paper} />
			</tbody>
			<tbody>
				{rows.map(({ start, name, window, state, changed, isRuledOff }) => (
					<SheetRow
						key={start}
						name={name}
						// An hour has no state of its own.
						state={length === 'day' ? null : state}
						changed={changed}
						isRuledOff={isRuledOff}
						numberOf={(column) => (window === null ? null : numberIn(column, window))}
						{...lineProps}
					/>
				))}
			</tbody>
		</table>
	);
}

function TableHead({ length, columns }: Pick<SheetTableProps, 'columns'> & { readonly length: ViewLength }) {
	return (
		<thead>
			<tr>
				<th scope="col">{commonText().lengths[rowLengths[length]]}</th>
				{columns.map((column, index) => (
					<th key={column.line.key} scope="col" class="end">
						{column.line.group !== columns[index - 1]?.line.group && <i>{column.line.group}</i>}
						<span>{column.line.name}</span>
						<small>{column.sub}</small>
					</th>
				))}
				<th scope="col" class="end">
					<span>{reportScreenText().known}</span>
					<small>%</small>
				</th>
				<th scope="col">{commonText().state}</th>
			</tr>
		</thead>
	);
}

/** The rows with the numbers of the whole period, those of the compared period, and the change. */
function SumRows({ model, columns, paper }: SheetTableProps) {
	const { period, calendar } = model;
	const { view, span, compared, report } = period;
	/** The part of the period that has been counted. */
	const countedSpan = { ...span, end: report.bounds.at(-1) ?? span.end };
	const lineProps = { columns, all: model.columns, paper };
	return (
		<>
			<SheetRow
				name={spanName(view.length, countedSpan, calendar, span.date)}
				state={model.state}
				changed={report.changed}
				numberOf={(column) => column.line.total}
				{...lineProps}
			/>
			{model.columns.some(({ line }) => line.rise !== undefined) && <RiseRow columns={columns} paper={paper} />}
			{compared !== null && (
				<>
					<SheetRow
						name={spanName(view.length, compared.span, calendar, span.date)}
						numberOf={(column) => column.compared}
						{...lineProps}
					/>
					<tr>
						<th scope="row">{reportScreenText().change}</th>
						{columns.map((column) => (
							<td key={column.line.key} class="end">
								{column.compared !== null && changeWords(column.line.total, column.compared, column).bounds}
							</td>
						))}
						<td />
						<td />
					</tr>
				</>
			)}
		</>
	);
}

/** How far the numbers of the period are above the references of their lines. In portrait, the bounds are in a note. */
function RiseRow({ columns, paper }: Pick<SheetTableProps, 'columns' | 'paper'>) {
	return (
		<tr>
			<th scope="row">{reportScreenText().rise}</th>
			{columns.map((column) => {
				const rise = riseWords(column, null);
				return (
					<td key={column.line.key} class="end">
						{rise !== null && (
							<>
								{rise.isBeyond && <BeyondSign />}
								{rise.number} {rise.percent}
								{paper === 'landscape' && rise.bounds !== null && <small class="bound">{rise.bounds}</small>}
							</>
						)}
					</td>
				);
			})}
			<td />
			<td />
		</tr>
	);
}

interface SheetRowProps {
	readonly name: string;
	/** The state of the days of the row; null or left out if none is shown. */
	readonly state?: ReportState | null;
	readonly changed?: ReportRow['changed'];
	/** Whether a stronger rule is drawn below the row. */
	readonly isRuledOff?: boolean;
	readonly numberOf: (column: ReportColumn) => CountedNumber | null;
	readonly columns: readonly ReportColumn[];
	/** The lines of all sheets, because the known share is that of the whole report. */
	readonly all: readonly ReportColumn[];
	readonly paper: Paper;
}

function SheetRow({ name, state = null, changed = [], isRuledOff = false, numberOf, columns, all, paper }: SheetRowProps) {
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
						{column.function === 'entered' && words?.number != null && ' ✎'}
					</td>
				);
			})}
			<td class="end">{shareText(known)}</td>
			<td>{state !== null && stateWord(state, changed)}</td>
		</tr>
	);
}

/**
 * Notes about rows that are incomplete, changed or not over. In portrait, they include the bounds of numbers. The known share in a note is
 * that of the lines on this sheet; the column of the table has that of the whole report.
 */
function Notes({ model, columns, paper }: SheetTableProps) {
	const text = reportScreenText();
	const { rows, period, calendar } = model;
	const notes = rows.flatMap((row) => {
		const { window } = row;
		// A row that has not begun has no numbers.
		if (window === null) return [];
		const end = period.report.bounds[window + 1] ?? row.end;
		const known = leastKnown(columns, (column) => numberIn(column, window).known);
		const bounds = columns.map((column) => boundsNote(numberIn(column, window), column)).filter((note) => note !== null);
		const parts = [
			...(end < row.end ? [text.until(clockIn(end, calendar))] : []),
			...(known !== null && known < 1 ? [reportText().known(shareText(known))] : []),
			...(paper === 'portrait' ? bounds : []),
			...changesByCauses(row.changed).map((changes) => `${text.changedState} ${changesText(changes)}`),
		];
		return parts.length === 0 ? [] : [{ key: row.start, name: row.name, words: parts.join('; ') }];
	});
	const boundsOfSums = columns.map((column) => boundsNote(column.line.total, column)).filter((note) => note !== null);
	const sums = paper === 'portrait' ? boundsOfSums : [];
	return (
		<div class="sheet-notes">
			{paper === 'landscape' && <p>{text.italic}</p>}
			{columns.some(isEntered) && <p>{text.byHand}</p>}
			{sums.length > 0 && (
				<p>
					<b>{spanTitle(period.view.length, period.span, calendar)}:</b> {sums.join('; ')}.
				</p>
			)}
			{columns.map((column) => {
				const span = { ...period.span, end: period.report.bounds.at(-1) ?? period.span.end };
				const facts = sumFacts({ column, columns: model.columns, counted: column.line.total, window: null, span, calendar });
				return (
					facts !== '' && (
						<p key={column.line.key}>
							<b>{column.line.name}:</b> {facts}
						</p>
					)
				);
			})}
			{notes.map(({ key, name, words }) => (
				<p key={key}>
					<b>{name}:</b> {words}.
				</p>
			))}
		</div>
	);
}

/** Whether the sheet has a number of a line that a person has entered. */
const isEntered = ({ function: lineFunction, line }: ReportColumn): boolean =>
	lineFunction === 'entered' && [line.total.value, ...line.values].some((value) => value !== null);

/** Returns what the function of a line tells of its number over the whole period, in one paragraph; empty where that is nothing. */
function sumFacts(input: NumberFactsInput): string {
	const text = reportScreenText();
	const terms = termsOf(input);
	return [
		...numberFacts(input).map(({ words }) => words),
		...(terms === null || terms.terms.length === 0 ? [] : [`${text.terms} ${terms.terms.map(({ words }) => words).join('; ')}.`]),
		...(terms?.isWithoutError ? [text.withoutError] : []),
	].join(' ');
}

/** Returns the bounds of a number with the name and the unit of its line; null unless the cell shows a number with bounds. */
function boundsNote(counted: CountedNumber, column: ReportColumn): string | null {
	const { name, unit } = column.line;
	return cellWords(counted, column).kind === 'part' ? `${name}: ${boundsAlone(counted, column, unit)}` : null;
}
