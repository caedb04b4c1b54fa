import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { currentTime } from '#page/core/clock.ts';
import type { StoredReport } from '#page/core/definitions.ts';
import { downloadCsv } from '#page/core/download.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { csvFileName } from '#page/format/csv.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { CellPopover } from './cell-popover.tsx';
import { type ChosenDay, DayDialog } from './day-dialog.tsx';
import { PeriodHead } from './period-head.tsx';
import { PrintDialog } from './print-dialog.tsx';
import { type Paper, PrintSheet } from './print-sheet.tsx';
import { ReportCards } from './report-cards.tsx';
import { reportCsv } from './report-csv.ts';
import { shownSpan, useReportData } from './report-data.ts';
import { dayName, spanTitle } from './report-labels.ts';
import { type ChangedDay, type ReportModel, reportModel } from './report-model.ts';
import { storedCalendar } from './report-periods.ts';
import { type ChosenCell, ReportTable } from './report-table.tsx';
import { type ReportView, reportViewParams, rowView } from './report-view.ts';
import { reportScreenText } from './texts.ts';
import { usePrint } from './use-print.ts';

interface ShownReportProps {
	readonly report: StoredReport;
	readonly view: ReportView;
	/** Whether the address asks for another view, which does not exist. */
	readonly hasIgnoredParams: boolean;
	/** The title of the screen and the choice of the report. */
	readonly children: ComponentChildren;
}

/** The numbers of a report over a period. */
export function ShownReport({ report, view, hasIgnoredParams, children }: ShownReportProps) {
	const text = reportScreenText();
	const { read, isChanging, failure, reload } = useReportData(report, view);
	// After a failure, numbers of another period must not be shown below this head, and numbers of another report never.
	const shown =
		read?.report.id === report.id && (failure === null || read.view === view || isSameView(read.view, view)) ? read : null;
	const model = useMemo(() => (shown === null ? null : reportModel(shown, report)), [shown, report]);
	const cell = useSignal<ChosenCell | null>(null);
	const day = useSignal<ChosenDay | null>(null);
	const announcement = useSignal('');
	const printing = usePrinting(model, report.version);
	const choose = (chosen: ChosenCell): void => {
		if (chosen.column !== null) cell.value = chosen;
		else if (model !== null) openState(model, chosen, (next) => (day.value = next));
	};
	/** The numbers of the chosen period; null while they are being read. */
	const currentModel = isChanging ? null : model;
	return (
		<div class="report">
			<header class="head">
				{children}
				<PeriodHead
					report={report}
					view={view}
					onCsv={currentModel === null ? null : () => saveCsv(report.title, currentModel)}
					onPrint={currentModel === null ? null : printing.ask}
				/>
			</header>
			{hasIgnoredParams && (
				<Banner>{text.otherView(spanTitle(view.length, shownSpan(view, report, currentTime()), storedCalendar(report)))}</Banner>
			)}
			<p role="status" class={isChanging ? 'muted' : 'sr'}>
				{isChanging ? commonText().reading : announcement.value}
			</p>
			{failure !== null && (
				<Problems
					failure={failure}
					fallback={text.unread}
					action={<Button onClick={() => void reload()}>{commonText().again}</Button>}
				/>
			)}
			{model !== null && (
				<>
					<ChangedDays model={model} onDay={(next) => (day.value = next)} />
					<ReportTable model={model} isChanging={isChanging} onChoose={choose} />
					<ReportCards model={model} onChoose={choose} />
					<Legend model={model} />
				</>
			)}
			{model !== null && cell.value !== null && cell.value.column !== null && (
				<CellPopover
					model={model}
					column={cell.value.column}
					row={cell.value.row}
					anchor={cell.value.element}
					onClose={() => (cell.value = null)}
					onEntered={(words) => {
						cell.value = null;
						announcement.value = words;
						void reload();
					}}
				/>
			)}
			{model !== null && day.value !== null && (
				<DayDialog
					model={model}
					day={day.value}
					onClose={() => (day.value = null)}
					onSealed={(words) => {
						day.value = null;
						announcement.value = words;
						void reload();
					}}
				/>
			)}
			{printing.parts}
		</div>
	);
}

/** Saves the numbers of a report as a CSV file, named after the report and the counted time. */
function saveCsv(title: string, model: ReportModel): void {
	const { bounds } = model.period.report;
	downloadCsv(csvFileName([title], bounds[0] ?? 0, bounds.at(-1) ?? 0), reportCsv(model));
}

/** Returns a function that opens the print dialog, and the elements that printing needs in the page. */
function usePrinting(model: ReportModel | null, version: number) {
	const paper = useSignal<Paper>('portrait');
	const asks = useSignal(false);
	const holder = usePrint(model === null ? null : () => <PrintSheet model={model} paper={paper.value} version={version} />);
	const parts = (
		<>
			{asks.value && (
				<PrintDialog
					paper={paper.value}
					onClose={() => {
						asks.value = false;
					}}
					onPrint={(chosen) => {
						paper.value = chosen;
						asks.value = false;
						// The dialog must be removed from the page before it is printed.
						requestAnimationFrame(() => print());
					}}
				/>
			)}
			<div class="sheet-holder" ref={holder} />
		</>
	);
	return {
		ask: () => {
			asks.value = true;
		},
		parts,
	};
}

/** Whether two views show the same period with the same comparison. Each address makes a new object. */
function isSameView(a: ReportView, b: ReportView): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

/** Opens the days of a chosen state: the dialog of a day, or the view of a month. The state of a whole week, month or year opens nothing. */
function openState(model: ReportModel, { row }: ChosenCell, onDay: (day: ChosenDay) => void): void {
	const { report, view, span } = model.period;
	const monthView = view.length === 'year' && row !== null ? rowView('year', row) : null;
	if (monthView !== null) goTo(hrefOf('report', report.id, reportViewParams(monthView)));
	else if (row !== null) onDay({ date: row.date, state: row.state, changed: row.changed[0] });
	else if (view.length === 'day') onDay({ date: span.date, state: model.state, changed: report.changed[0] });
}

/** The most changed days that are listed. */
const maxListed = 5;

/** Names the sealed days that would have other numbers now, each with a button that opens it. */
function ChangedDays({ model, onDay }: { readonly model: ReportModel; readonly onDay: (day: ChosenDay) => void }) {
	const text = reportScreenText();
	const { changed } = model.period.report;
	if (changed.length === 0) return null;
	const open = (each: ChangedDay): void => onDay({ date: each.date, state: 'sealed', changed: each });
	return (
		<Banner look="doubt" icon="q-uncertain">
			{text.changedDays(changed.length)}{' '}
			{changed.slice(0, maxListed).map((each) => (
				<Button key={each.date} small onClick={() => open(each)}>
					{dayName(each.date)}
				</Button>
			))}{' '}
			{changed.length > maxListed && commonText().more(changed.length - maxListed)}
		</Banner>
	);
}

/** What the marks of the numbers mean, and when the days of the report begin. */
function Legend({ model }: { readonly model: ReportModel }) {
	const text = reportScreenText();
	const { report } = model.period;
	return (
		<p class="report-legend muted">
			<span>
				<Icon name="q-uncertain" class="violet" /> {text.legendKnown}
			</span>
			<span>{text.legendDays(report.dayStart, report.timeZone)}</span>
			<span>{text.legendLeast}</span>
		</p>
	);
}
