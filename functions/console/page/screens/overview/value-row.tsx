import type { ComponentChildren } from 'preact';
import type { Variable } from '#page/core/definitions.ts';
import { useTileInView } from '#page/core/past/tiles-in-view.ts';
import type { Quality } from '#page/core/readings.ts';
import { trendHrefOf } from '#page/core/route.ts';
import { type TileAlarm, type TileAlarms, useTileAlarms } from '#page/core/tile-alarm.ts';
import { noNumber } from '#page/format/number.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { AlarmMark, severityClass } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { CutName } from '#page/parts/cut-name.tsx';
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
	// Only a tile has a bar with the range of the last day.
	const link = useTileInView<HTMLAnchorElement>(variable.id, { needsDay: false });
	const { worst } = alarms;
	const quality = view.quality.value;
	// A row is filled, and has no outline that could be dashed after the return to normal.
	const look = classNames(
		'value-row',
		...(worst === null ? [] : ['alarm', severityClass(worst.severity)]),
		worst?.state === 'active_unacknowledged' && 'severe',
	);
	return (
		<a class={look} href={trendHrefOf(variable.id)} ref={link} data-id={variable.id}>
			<RowMark alarm={worst} quality={quality} />
			<CutName name={variable.name} />
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

interface RowMarkProps {
	readonly alarm: TileAlarm | null;
	/** Undefined until the variable was read. */
	readonly quality: Quality | undefined;
}

/** The mark of the alarm, or else of the fault of the data. An empty element keeps the column. */
function RowMark({ alarm, quality }: RowMarkProps) {
	if (alarm !== null)
		return <AlarmMark severity={alarm.severity} state={alarm.state} label={alarmMarkLabel(alarm.severity, alarm.state)} small />;
	if (quality === undefined || quality === 'good') return <span />;
	// The row names every other fault in words.
	return <Icon name={`q-${quality}`} label={quality === 'stale' ? qualityWords().stale : undefined} />;
}

/** The last hour of a number or a state; nothing for a byte. */
function RowTrend({ variable, alarms }: { readonly variable: Variable; readonly alarms: TileAlarms }) {
	const parts: Readonly<Record<ReturnType<typeof tileKindOf>, () => ComponentChildren>> = {
		number: () => <HourLine id={variable.id} alarms={alarms} />,
		state: () => <HourStrip id={variable.id} />,
		byte: () => <span />,
	};
	return <>{parts[tileKindOf(variable)]()}</>;
}

/** The value, the word of the state, or how many bits of a byte are on. */
function RowValue({ variable, view }: { readonly variable: Variable; readonly view: VariableView }) {
	const kind = tileKindOf(variable);
	if (kind === 'number') return <LiveValue view={view} unit={variable.unit} />;
	if (kind === 'state') return <StateWord name={variable.name} view={view} />;
	const bits = view.shown.value?.bits ?? [];
	return (
		<b class={classNames('word', !view.isCurrent.value && 'old')}>
			{bits.length === 0 ? noNumber : overviewText().bitsOn(bits.filter(({ value }) => value === 1).length, bits.length)}
		</b>
	);
}
