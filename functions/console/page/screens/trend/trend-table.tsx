import { formatUtc } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { CutName } from '#page/parts/cut-name.tsx';
import { DataTable, type TableColumn } from '#page/parts/data-table.tsx';
import { trendText } from './texts.ts';
import { comparisonName, formatLineValue, formatWindowStart } from './trend-format.ts';
import { type Curve, isCurve, linesIn, middleOf, type Strip, type TrendModel } from './trend-model.ts';

interface TrendTableProps {
	readonly model: TrendModel;
	/** The window of the crosshair, whose row is selected. */
	readonly index: number | null;
	readonly onMarker: (time: number) => void;
}

/**
 * Shows the windows as rows, newest first. The selected row is the window of the crosshair, so that moving from row to row moves the
 * crosshair.
 */
export function TrendTable({ model, index, onMarker }: TrendTableProps) {
	const text = trendText();
	const { bounds } = model;
	const count = bounds.length - 1;
	const newestFirst = Array.from({ length: count }, (_, place) => count - 1 - place);
	return (
		<section class="panel trend-rows" aria-label={text.table}>
			<div class="line">
				<h2>{text.table}</h2>
				<span class="muted end">{text.rows(count)}</span>
			</div>
			<DataTable
				class="trend-table"
				caption={text.table}
				columns={windowColumns(model)}
				rows={newestFirst}
				keyOf={(window) => window}
				selected={index}
				onSelect={(window) => onMarker(middleOf(bounds, window))}
				selectsOnMove
				isLong
			/>
		</section>
	);
}

/** Returns the columns: the start of a window, and the value of every line with its compared value beside it. */
function windowColumns(model: TrendModel): readonly TableColumn<number>[] {
	const { bounds, comparison } = model;
	const start: TableColumn<number> = {
		key: 'time',
		head: commonText().time,
		isRowHead: true,
		cell: (window) => <span title={formatUtc(bounds[window] ?? 0)}>{formatWindowStart(bounds, window)}</span>,
	};
	const comparedName = comparison === null ? '' : comparisonName(comparison, bounds[0] ?? 0);
	const valueColumns = linesIn(model).flatMap((line) => [
		valueColumn(line, line.values, isCurve(line) ? line.unit : ''),
		...(line.compared === null ? [] : [valueColumn(line, line.compared.values, comparedName)]),
	]);
	return [start, ...valueColumns];
}

/** Returns a column of values of a line. `subhead` stands below its name: the unit, or the name of the compared range. */
function valueColumn(line: Curve | Strip, values: Curve['values'], subhead: string): TableColumn<number> {
	return {
		key: `${line.key} ${subhead}`,
		head: (
			<>
				<CutName name={line.name} />
				<small>{subhead}</small>
			</>
		),
		title: line.name,
		look: 'end',
		cell: (window) => formatLineValue(line, values[window] ?? null),
	};
}
