import { dateOfDay } from '#domain/calendar/days.ts';
import { currentTime } from '#page/core/clock.ts';
import type { StoredReport } from '#page/core/definitions.ts';
import { canWrite } from '#page/core/poll.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { useShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { shownSpan } from './report-data.ts';
import { spanName, spanTitle } from './report-labels.ts';
import { comparedSpan, movedDate, storedCalendar } from './report-periods.ts';
import { comparisonsOf, type ReportView, reportViewParams, type ViewLength, viewLengths } from './report-view.ts';
import { reportScreenText } from './texts.ts';

interface PeriodHeadProps {
	readonly report: StoredReport;
	readonly view: ReportView;
	/** Saves the numbers as CSV; null while there are none. */
	readonly onCsv: (() => void) | null;
	/** Asks how to print the numbers; null while there are none. */
	readonly onPrint: (() => void) | null;
}

/** The controls for the shown period, its length and its comparison. The address holds all of them. */
export function PeriodHead({ report, view, onCsv, onPrint }: PeriodHeadProps) {
	const text = reportScreenText();
	const now = currentTime();
	const calendar = storedCalendar(report);
	const span = shownSpan(view, report, now);
	const show = (part: Partial<ReportView>): void => goTo(hrefOf('report', report.id, reportViewParams({ ...view, ...part })));
	const isPresent = span.end > now;
	// While the connection is lost, an earlier or a later period could not be read.
	const canRead = canWrite.value.ok;
	/** Shows the period that is `steps` periods later, or earlier if `steps` is negative. */
	const move = (steps: -1 | 1): void => {
		if (!canRead || (steps > 0 && isPresent)) return;
		const date = movedDate(view.length, span.date, steps);
		// The present period has no date in the address, so that the next one is shown when it begins.
		show({ date: shownSpan({ ...view, date }, report, now).end > now ? null : date });
	};
	useShortcuts([
		{ key: '[', label: text.earlier, run: () => move(-1) },
		{ key: ']', label: text.later, run: () => move(1) },
		{ key: 'n', label: text.present, run: () => show({ date: null }) },
	]);
	/** Shows the period that contains the last shown day. If the present period was shown, the present one is shown again. */
	const showLength = (length: ViewLength): void => {
		// A day is its own last day, even one that the clocks skipped, which has no last moment.
		const date = view.length === 'day' ? span.date : dateOfDay(span.end - 1, calendar);
		show({ length, date: isPresent ? null : date, comparison: comparisonsOf[length][0] });
	};
	return (
		<>
			<Segmented
				label={text.periodLength}
				value={view.length}
				choices={viewLengths.map((value) => ({ value, label: commonText().lengths[value] }))}
				onChoose={showLength}
			/>
			<div class="report-period">
				<span class="btn-group">
					<Button icon="i-left" aria-label={text.earlier} disabled={!canRead} onClick={() => move(-1)} />
					<Button icon="i-right" aria-label={text.later} disabled={!canRead || isPresent} onClick={() => move(1)} />
				</span>
				<h2>{spanTitle(view.length, span, calendar)}</h2>
			</div>
			<div class="line report-compared">
				<span class="muted">{text.comparedWith}</span>
				<Select
					aria-label={text.comparedWith}
					value={view.comparison}
					choices={comparisonsOf[view.length].map((value) => {
						const other = comparedSpan({ ...view, comparison: value }, span, now, calendar);
						return { value, label: other === null ? text.nothing : spanName(view.length, other, calendar, span.date) };
					})}
					onChoose={(comparison) => show({ comparison })}
				/>
			</div>
			<ReportActions reportId={report.id} onCsv={onCsv} onPrint={onPrint} />
		</>
	);
}

/** The links to the editor, and the buttons that save and print the numbers. */
function ReportActions({ reportId, onCsv, onPrint }: Pick<PeriodHeadProps, 'onCsv' | 'onPrint'> & { readonly reportId: number }) {
	return (
		<div class="actions">
			<ForRole needs="engineer">
				<a class="btn" href={hrefOf('report', 'new')}>
					{reportScreenText().create}
				</a>
				<a class="btn" href={hrefOf('report', `${reportId}-edit`)}>
					{commonText().edit}
				</a>
			</ForRole>
			<Button disabled={onCsv === null} onClick={() => onCsv?.()}>
				{commonText().csv}
			</Button>
			<Button disabled={onPrint === null} onClick={() => onPrint?.()}>
				{commonText().print}
			</Button>
		</div>
	);
}
