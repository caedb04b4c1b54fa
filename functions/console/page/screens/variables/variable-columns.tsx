import { decimalsOfVariable } from '#page/core/decimals.ts';
import { readingOf } from '#page/core/readings.ts';
import { hrefOf } from '#page/core/route.ts';
import { shownOf } from '#page/core/shown.ts';
import { worstAlarmOf } from '#page/core/tile-alarm.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { CutName } from '#page/parts/cut-name.tsx';
import type { TableColumn } from '#page/parts/data-table.tsx';
import { ShownAge, ShownQuality, ShownValue } from '#page/parts/shown-cells.tsx';
import type { ListRow } from './list-model.ts';
import { listText } from './texts.ts';

/** The columns of the list of variables. The rows of a long list are one line high, so that a long name is cut. */
export function variableColumns(isLong: boolean): readonly TableColumn<ListRow>[] {
	const text = listText();
	const { name, process, kind, value, quality, age, usedBy } = commonText();
	return [
		{ key: 'id', head: text.id, look: 'end', sortable: true, cell: ({ variable: { id } }) => <span class="mono">{id}</span> },
		{
			key: 'name',
			head: name,
			look: 'wide',
			isRowHead: true,
			sortable: true,
			cell: (row) => <VariableName row={row} isLong={isLong} />,
		},
		{ key: 'process', head: process, sortable: true, cell: ({ variable: { process } }) => process },
		{ key: 'kind', head: kind, sortable: true, cell: kindText },
		{
			key: 'source',
			head: text.source,
			look: 'wide',
			cell: ({ source }) => (
				<span class="mono source" title={source}>
					{source}
				</span>
			),
		},
		{ key: 'value', head: value, look: 'end', cell: (row) => <LiveValue row={row} /> },
		{ key: 'quality', head: quality, sortable: true, cell: (row) => <LiveQuality row={row} /> },
		{ key: 'age', head: age, look: 'end', cell: (row) => <LiveAge row={row} /> },
		{ key: 'uses', head: usedBy, look: 'end', sortable: true, cell: ({ uses }) => (uses === 0 ? '–' : uses) },
	];
}

/** Properties of the components that show a part of a row. */
interface RowProps {
	readonly row: ListRow;
}

/**
 * The name as a link to the variable, with the mark of its worst active alarm. The link is no stop of the Tab key, because Enter on its row
 * opens the variable, too.
 */
function VariableName({ row: { variable }, isLong }: RowProps & { readonly isLong: boolean }) {
	const alarm = worstAlarmOf(variable.id);
	return (
		<>
			<a class="plain" href={hrefOf('variables', variable.id)} tabIndex={-1}>
				{isLong ? <CutName name={variable.name} /> : variable.name}
			</a>
			{alarm !== null && (
				<AlarmMark
					severity={alarm.severity}
					state={alarm.state}
					label={`${alarmMarkLabel(alarm.severity, alarm.state)}: ${alarm.name}`}
					small
				/>
			)}
		</>
	);
}

/** The kind of a variable in words: `Formula, history`. */
function kindText({ kind, variable: { type } }: ListRow): string {
	const { kinds, history } = listText();
	return type === 'history' ? `${kinds[kind]}, ${history}` : kinds[kind];
}

/** The newest value of a variable. */
function LiveValue({ row: { variable, kind } }: RowProps) {
	return <ShownValue shown={shownNow(variable)} kind={kind} decimals={decimalsOfVariable(variable.id)} />;
}

/** The quality of a variable. */
function LiveQuality({ row: { variable } }: RowProps) {
	return <ShownQuality shown={shownNow(variable)} ownName={variable.name} />;
}

/** The age of a variable's newest sample. */
function LiveAge({ row: { variable } }: RowProps) {
	return <ShownAge shown={shownNow(variable)} />;
}

/** Returns the newest value of a variable as screens show it; null until it was read. */
function shownNow({ id }: ListRow['variable']) {
	const reading = readingOf(id).value;
	return reading === undefined ? null : shownOf(reading);
}
