import type { ComponentChildren } from 'preact';
import type { Variable } from '#page/core/definitions.ts';
import { useTileInView } from '#page/core/past/tiles-in-view.ts';
import { trendHrefOf } from '#page/core/route.ts';
import { type TileAlarms, useTileAlarms } from '#page/core/tile-alarm.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { AlarmMark, severityClass } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { Icon } from '#page/parts/icon.tsx';
import { Age, LiveValue, Outdated } from '#page/parts/live.tsx';
import { HourLine, HourStrip, StateWord } from '#page/parts/tile.tsx';
import { tileKindOf } from '#page/parts/tile-kind.ts';
import { isWithoutValue, useVariableView, type VariableView } from '#page/parts/variable-view.ts';
import { overviewText } from './texts.ts';

/** A variable as one line, which leads to its trend: mark, name, trend, value and unit. */
export function ValueRow({ variable }: { readonly variable: Variable }) {
	const view = useVariableView(variable);
	const alarms = useTileAlarms(variable.id).value;
	const link = useTileInView<HTMLAnchorElement>(variable.id, { needsDay: false });
	const { worst } = alarms;
	const quality = view.quality.value;
	const look = classNames(
		'value-row',
		...(worst === null ? [] : ['alarm', severityClass(worst.severity)]),
		worst?.state === 'active_unacknowledged' && 'severe',
	);
	return (
		<a class={look} href={trendHrefOf(variable.id)} ref={link} data-id={variable.id}>
			{worst !== null ? (
				<AlarmMark severity={worst.severity} state={worst.state} label={alarmMarkLabel(worst.severity, worst.state)} small />
			) : quality === undefined || quality === 'good' ? (
				<span />
			) : (
				<Icon name={`q-${quality}`} label={quality === 'stale' ? qualityWords().stale : undefined} />
			)}
			<span class="name" title={variable.name}>
				{variable.name}
			</span>
			{quality !== undefined && isWithoutValue(quality) ? (
				<span class="row-fault">
					<Age view={view} />
					<b class="quality">{qualityWords()[quality]}</b>
				</span>
			) : (
				<>
					{quality === 'stale' ? <Age view={view} /> : <RowTrend variable={variable} alarms={alarms} />}
					<RowValue variable={variable} view={view} />
				</>
			)}
			<Outdated />
		</a>
	);
}

function RowTrend({ variable, alarms }: { readonly variable: Variable; readonly alarms: TileAlarms }) {
	const parts: Readonly<Record<ReturnType<typeof tileKindOf>, () => ComponentChildren>> = {
		number: () => <HourLine id={variable.id} alarms={alarms} />,
		state: () => <HourStrip id={variable.id} />,
		byte: () => <span />,
	};
	return <>{parts[tileKindOf(variable)]()}</>;
}

function RowValue({ variable, view }: { readonly variable: Variable; readonly view: VariableView }) {
	const kind = tileKindOf(variable);
	if (kind === 'number') return <LiveValue view={view} unit={variable.unit} />;
	if (kind === 'state') return <StateWord name={variable.name} view={view} />;
	const bits = view.shown.value?.bits ?? [];
	return (
		<b class={classNames('word', !view.isCurrent.value && 'old')}>
			{bits.length === 0 ? '– –' : overviewText().bitsOn(bits.filter(({ value }) => value === 1).length, bits.length)}
		</b>
	);
}
