import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, hrefWithParams } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { formatNumber, noNumber } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { lineFaultText } from '#page/i18n/line-faults.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { Button } from '#page/parts/button.tsx';
import { Icon } from '#page/parts/icon.tsx';
import { reportText } from '#page/reports/report-texts.ts';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { NumberDetails } from './number-details.tsx';
import { boundsAlone, boundsSentence, type CountedNumber, cellWords, shareText } from './report-cells.ts';
import { clockIn, dateTimeIn, longRowName, spanName } from './report-labels.ts';
import {
	changesByCauses,
	changesText,
	isFillable,
	numberIn,
	type ReportColumn,
	type ReportModel,
	type ReportRow,
} from './report-model.ts';
import { reportViewParams, rowView } from './report-view.ts';
import { reportScreenText } from './texts.ts';

const EnteredNumber = lazyScreen(async () => (await import('./entered-number.tsx')).EnteredNumber);
const AppliedCorrections = lazyScreen(async () => (await import('./applied-corrections.tsx')).AppliedCorrections);

interface CellPopoverProps {
	readonly model: ReportModel;
	readonly column: ReportColumn;
	/** The row; null for the whole period. */
	readonly row: ReportRow | null;
	/** The element that the popover is placed beside. It gets the focus when the popover is closed. */
	readonly anchor: HTMLElement;
	readonly onClose: () => void;
	/** Called when a number was entered or deleted, with words about it. */
	readonly onEntered: (announcement: string) => void;
}

/** Explains a number: its share of known time, its bounds, its faults and corrections, with links to its parts and to the trend. */
export function CellPopover({ model, column, row, anchor, onClose, onEntered }: CellPopoverProps) {
	const text = reportScreenText();
	const { box, place } = usePlaceBeside(anchor, onClose);
	const { line } = column;
	const { report, span, view } = model.period;
	const window = row?.window ?? null;
	const counted: CountedNumber = window === null ? line.total : numberIn(column, window);
	const { kind } = cellWords(counted, column);
	const countedEnd = window === null ? report.bounds.at(-1) : report.bounds[window + 1];
	/** The time that the number is about. */
	const countedSpan = { start: row?.start ?? span.start, end: countedEnd ?? span.end };
	const when =
		row === null
			? spanName(view.length, { ...span, end: countedSpan.end }, model.calendar, span.date)
			: longRowName(view.length, row, span);
	const reachedAt = (window === null ? line.total.at : line.at?.[window]) ?? null;
	const faults = (line.faults ?? []).filter((fault) => fault.window === undefined || fault.window === window || window === null);
	const changed = (row === null ? report.changed : row.changed).filter(({ lines }) => lines.includes(line.key));
	const close = (): void => {
		onClose();
		anchor.focus();
	};
	return (
		<div
			ref={box}
			role="dialog"
			aria-label={`${line.name}, ${when}`}
			tabIndex={-1}
			class="report-popover"
			style={place}
			onKeyDown={(event) => {
				if (event.key !== 'Escape') return;
				event.preventDefault();
				close();
			}}
		>
			<h2>
				<bdi>{line.name}</bdi>, {when}
			</h2>
			<NumberLine counted={counted} column={column} />
			{/* A fault says already why nothing is known. */}
			{(kind !== 'none' || faults.length === 0) && <Bounds counted={counted} column={column} />}
			<NumberDetails {...{ column, counted, window, columns: model.columns, span: countedSpan, calendar: model.calendar }} />
			{column.function === 'entered' && (
				<EnteredNumber
					model={model}
					column={column}
					span={row ?? span}
					counted={counted}
					isSealed={(row?.state ?? model.state) === 'sealed'}
					isFillable={may('engineer') && isFillable(model, column, row)}
					onChanged={onEntered}
				/>
			)}
			{reachedAt !== null && <p class="muted">{reachedText(column, reachedAt, model)}</p>}
			{[...new Set(faults.map(lineFaultText))].map((sentence) => (
				<p key={sentence} class="violet">
					{sentence}
				</p>
			))}
			{changesByCauses(changed).map((changes) => (
				<p key={changes.causes.join()}>
					<b class="violet">{text.changedState}</b> {changesText(changes)}
				</p>
			))}
			{line.corrections !== undefined && line.corrections.length > 0 && <AppliedCorrections column={column} span={countedSpan} />}
			<Ways model={model} column={column} row={row} span={countedSpan} />
			<Button small look="quiet" icon="i-x" class="report-popover-close" aria-label={commonText().close} onClick={close} />
		</div>
	);
}

/** Returns when a number was reached, or when the stretch that it is about began. */
function reachedText({ function: lineFunction, defined }: ReportColumn, at: number, { calendar }: ReportModel): string {
	const text = reportScreenText();
	const when = dateTimeIn(at, calendar);
	if (lineFunction === 'leastMean' && typeof defined?.over === 'number')
		return text.fromTo(when, clockIn(at + 1000 * defined.over, calendar));
	if (lineFunction === 'longest') return text.beganAt(when);
	return lineFunction === 'onTime' ? text.firstAt(when) : text.reachedAt(when);
}

/** The number with its unit, and the share of the time that is known if it is not all. */
function NumberLine({ counted, column }: BoundsProps) {
	const { unit } = column.line;
	const { number } = cellWords(counted, column);
	const bounds = number === null ? boundsAlone(counted, column, unit) : null;
	return (
		<p>
			<span class="report-popover-number">{number ?? bounds ?? noNumber}</span> {bounds === null && unit}
			{counted.known !== null && counted.known < 1 && (
				<span class="violet">
					{' '}
					<Icon name="q-uncertain" /> {reportText().known(shareText(counted.known))}
				</span>
			)}
		</p>
	);
}

interface BoundsProps {
	readonly counted: CountedNumber;
	readonly column: ReportColumn;
}

/** The bounds of the number, and the assumption that they depend on. */
function Bounds({ counted, column }: BoundsProps) {
	const text = reportScreenText();
	const { line, decimals, defined } = column;
	const { known, value } = counted;
	const { kind } = cellWords(counted, column);
	const [least, most] = defined?.range ?? [];
	const write = (number: number): string => formatNumber(number, { decimals });
	// Where a part of the time is not known, the bounds round to the number, and "all of it is known" would be false.
	if (kind === 'exact') return known === 1 ? <p class="muted">{text.exact}</p> : null;
	if (kind === 'none') {
		// The number of a part of the time is not shown where nothing says how much is missing.
		const isPartKnown = value !== null && known !== null && known > 0;
		return <p>{isPartKnown ? text.noRange : qualityWords().no_data}</p>;
	}
	const words = boundsSentence(counted, column, line.unit);
	// Of the kind `empty`: the hours that the line counts have not come yet. A narrow screen shows a button for it all the same.
	if (words === null) return null;
	// "Between 3 and 5 m³, whatever it was while it is unknown, from 0 to 10."
	return (
		<p>
			{words}
			{(known ?? 1) < 1 &&
				least !== undefined &&
				most !== undefined &&
				`, ${text.valueWhileUnknown}, ${text.rangeOf(write(least), write(most))}`}
			{defined?.error != null && `, ${text.withError}`}.
		</p>
	);
}

interface WaysProps extends Pick<CellPopoverProps, 'model' | 'column' | 'row'> {
	readonly span: { readonly start: number; readonly end: number };
}

/** The links to the parts of a number: to its hours or days, and to the trend. */
function Ways({ model, column, row, span }: WaysProps) {
	const text = reportScreenText();
	const { report, view } = model.period;
	const openedView = row === null ? null : rowView(view.length, row);
	const ids = variablesOf(model.columns, column);
	const trendParams = { ids: ids.join(), from: new Date(span.start).toISOString(), to: new Date(span.end).toISOString() };
	return (
		<div class="line">
			{openedView !== null && (
				<a class="btn" href={hrefOf('report', report.id, reportViewParams(openedView))}>
					{openedView.length === 'day' ? text.hours : text.days}
				</a>
			)}
			{ids.length > 0 && (
				<a class="btn" href={hrefWithParams('trend', trendParams)}>
					{commonText().trend}
				</a>
			)}
		</div>
	);
}

/** Returns the variables that a line reads. A formula reads those of the lines in it. */
function variablesOf(columns: readonly ReportColumn[], { defined }: ReportColumn): readonly number[] {
	if (defined?.varId !== undefined && defined.varId !== null) return [defined.varId];
	const keys = (defined?.equation ?? []).flatMap(({ type, value }) => (type === 'variable' ? [value] : []));
	return [...new Set(columns.flatMap((column) => (keys.includes(column.line.key) ? variablesOf(columns, column) : [])))];
}

/** The least distance of a popover from the edges of the window, and its distance from its element, in pixels. */
const windowMargin = 8;
const anchorGap = 4;

/**
 * Places a popover beside an element and inside the window, and moves the focus into it. It closes when the person clicks or moves the
 * focus elsewhere.
 */
function usePlaceBeside(anchor: HTMLElement, onClose: () => void) {
	const box = useRef<HTMLDivElement>(null);
	// The popover is hidden until its size is known.
	const [place, setPlace] = useState<Readonly<Record<string, string>>>({ visibility: 'hidden' });
	const isPlaced = place['visibility'] !== 'hidden';
	useLayoutEffect(() => {
		const shown = box.current;
		if (shown === null) return;
		const placeBox = (): void => {
			const beside = anchor.getBoundingClientRect();
			const { width, height } = shown.getBoundingClientRect();
			const left = Math.max(windowMargin, Math.min(beside.left, innerWidth - width - windowMargin));
			const isBelow = beside.bottom + height + windowMargin < innerHeight;
			// Between the edges of the window, also where it fits neither below nor above.
			const above = Math.min(beside.top - anchorGap, innerHeight - windowMargin) - height;
			setPlace({ left: `${left}px`, top: `${isBelow ? beside.bottom + anchorGap : Math.max(windowMargin, above)}px` });
		};
		placeBox();
		// It grows when what it loads is there.
		const observer = new ResizeObserver(placeBox);
		observer.observe(shown);
		return () => observer.disconnect();
	}, [anchor]);
	useLayoutEffect(() => {
		if (isPlaced) box.current?.focus({ preventScroll: true });
	}, [isPlaced]);
	useLayoutEffect(() => {
		const leave = (event: Event): void => {
			if (event.target instanceof Node && box.current?.contains(event.target) === false) onClose();
		};
		document.addEventListener('pointerdown', leave);
		document.addEventListener('focusin', leave);
		return () => {
			document.removeEventListener('pointerdown', leave);
			document.removeEventListener('focusin', leave);
		};
	}, [anchor]);
	return { box, place };
}
