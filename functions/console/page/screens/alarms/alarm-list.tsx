import { isOpenAlarm, isUnacknowledged } from '#page/core/alarm-state.ts';
import type { ListedAlarm } from '#page/core/alarms.ts';
import { canWrite } from '#page/core/poll.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { may } from '#page/core/session.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { severityClass } from '#page/parts/alarm-mark.tsx';
import { Button } from '#page/parts/button.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { DataTable, type TableColumn } from '#page/parts/data-table.tsx';
import { shellText } from '#page/shell/texts.ts';
import { acknowledgeSeen, bringBack } from './alarm-acts.ts';
import { AlarmSinceCell, AlarmState, AlarmStateNotes, AlarmValue, SeverityMark } from './alarm-cells.tsx';
import type { AlarmRow } from './alarm-rows.ts';
import { alarmText } from './texts.ts';

/** `selected` is the id of the alarm whose details are shown. `onShelve` opens the form that shelves an alarm. */
interface AlarmListProps {
	readonly rows: readonly AlarmRow[];
	readonly selected: number | null;
	readonly onShelve: (alarm: ListedAlarm) => void;
}

/** The alarms, worst first: a table, or cards in a narrow window. */
export function AlarmList({ rows, selected, onShelve }: AlarmListProps) {
	return (
		<>
			<div class="only-wide">
				<DataTable
					class="alarm-table"
					caption={shellText().screens.alarms}
					rows={rows}
					keyOf={({ alarm }) => alarm.id}
					selected={selected}
					onSelect={({ alarm }) => goTo(hrefOf('alarms', alarm.id))}
					columns={alarmColumns(onShelve)}
				/>
			</div>
			<ul class="only-narrow">
				{rows.map((row) => (
					<li key={row.alarm.id} class={classNames('alarm-card', isOpenAlarm(row.alarm) && severityClass(row.alarm.severity))}>
						<a class="alarm-card-head" href={hrefOf('alarms', row.alarm.id)}>
							<SeverityMark row={row} />
							<span class="strong">{row.alarm.name}</span>
							<span class="two-lines">
								<AlarmSinceCell row={row} />
							</span>
						</a>
						<div class="alarm-card-body">
							<span>
								<AlarmValue row={row} />
							</span>
							<AlarmState row={row} />
							<AlarmStateNotes row={row} />
						</div>
						{/* A card only acknowledges. The details, which its head opens, can also shelve the alarm. */}
						{isUnacknowledged(row.alarm) && <RowButton alarm={row.alarm} onShelve={onShelve} />}
					</li>
				))}
			</ul>
		</>
	);
}

/** Returns the columns of the table. The column with the button is missing for people who may not act on alarms. */
function alarmColumns(onShelve: AlarmListProps['onShelve']): readonly TableColumn<AlarmRow>[] {
	const text = alarmText();
	const act: TableColumn<AlarmRow> = {
		key: 'act',
		head: text.act,
		look: 'buttons',
		cell: ({ alarm }) => <RowButton alarm={alarm} onShelve={onShelve} />,
	};
	return [
		{ key: 'severity', head: text.severity, cell: (row) => <SeverityMark row={row} /> },
		{
			key: 'alarm',
			head: commonText().alarm,
			look: 'wide',
			isRowHead: true,
			cell: ({ alarm }) => (
				<>
					{alarm.name}
					<small>{alarm.message}</small>
				</>
			),
		},
		{ key: 'value', head: text.value, look: 'end', cell: (row) => <AlarmValue row={row} /> },
		{ key: 'since', head: text.sinceHead, cell: (row) => <AlarmSinceCell row={row} /> },
		{
			key: 'state',
			head: commonText().state,
			look: 'wide',
			cell: (row) => (
				<>
					<AlarmState row={row} />
					<AlarmStateNotes row={row} />
				</>
			),
		},
		...(may('operator') ? [act] : []),
	];
}

/** The one button of a row. It acknowledges, unshelves or shelves the alarm, depending on the alarm's state. */
function RowButton({ alarm, onShelve }: { readonly alarm: ListedAlarm } & Pick<AlarmListProps, 'onShelve'>) {
	const text = alarmText();
	const disabled = !canWrite.value.ok;
	if (!may('operator')) return null;
	if (isUnacknowledged(alarm))
		return (
			<Button
				disabled={disabled}
				aria-label={text.acknowledgeOf(alarm.name, alarm.occurrence)}
				onClick={() => void acknowledgeSeen([alarm])}
			>
				{alarmStateText().acknowledge}
			</Button>
		);
	if (alarm.shelvedUntil !== null)
		return (
			<Button disabled={disabled} aria-label={`${text.bringBack}: ${alarm.name}`} onClick={() => void bringBack(alarm)}>
				{text.bringBack}
			</Button>
		);
	return (
		<Button disabled={disabled} aria-label={`${text.shelve} ${alarm.name}`} onClick={() => onShelve(alarm)}>
			{text.shelve}
		</Button>
	);
}
