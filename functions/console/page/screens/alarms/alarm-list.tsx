import { goTo, hrefOf } from '#page/core/route.ts';
import { severityClass } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { DataTable } from '#page/parts/data-table.tsx';
import { AlarmState, AlarmValue, SeverityMark } from './alarm-cells.tsx';
import type { AlarmRow } from './alarm-rows.ts';
import { alarmText } from './texts.ts';

/** Properties of AlarmList. `selected` is the id of the alarm in detail. */
export interface AlarmListProps {
	readonly rows: readonly AlarmRow[];
	readonly selected: number | null;
}

/** The alarms, worst first: a table, and cards where it is narrow. */
export function AlarmList({ rows, selected }: AlarmListProps) {
	const text = alarmText();
	return (
		<div class="alarm-list">
			<div class="only-wide">
				<DataTable
					class="alarm-table"
					caption={text.list}
					rows={rows}
					keyOf={({ alarm }) => alarm.id}
					selected={selected}
					onSelect={({ alarm }) => goTo(hrefOf('alarms', alarm.id))}
					columns={[
						{ key: 'severity', head: text.severity, cell: (row) => <SeverityMark row={row} /> },
						{
							key: 'alarm',
							head: text.alarm,
							look: 'wide',
							isRowHead: true,
							cell: ({ alarm }) => (
								<span class="two-lines">
									{alarm.name}
									<small>{alarm.message}</small>
								</span>
							),
						},
						{
							key: 'value',
							head: text.value,
							look: 'end',
							cell: (row) => (
								<span class="two-lines">
									<AlarmValue row={row} />
								</span>
							),
						},
						{ key: 'state', head: text.state, cell: (row) => <AlarmState row={row} /> },
					]}
				/>
			</div>
			<ul class="only-narrow">
				{rows.map((row) => (
					<li key={row.alarm.id} class={classNames('alarm-card', row.group === 'active' && severityClass(row.alarm.severity))}>
						<a class="alarm-card-head" href={hrefOf('alarms', row.alarm.id)}>
							<SeverityMark row={row} />
							<span class="strong">{row.alarm.name}</span>
						</a>
						<div class="alarm-card-body">
							<span>
								<AlarmValue row={row} />
							</span>
							<AlarmState row={row} />
						</div>
					</li>
				))}
			</ul>
		</div>
	);
}
