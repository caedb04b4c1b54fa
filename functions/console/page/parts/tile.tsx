import type { Variable } from '#page/core/definitions.ts';
import { tileDay, tileHour } from '#page/core/past/kept-pasts.ts';
import { useTileInView } from '#page/core/past/tiles-in-view.ts';
import { barScaleOf, leastSpanOf } from '#page/core/past/value-range.ts';
import { windowStates } from '#page/core/past/window-states.ts';
import { trendHrefOf } from '#page/core/route.ts';
import { currentStateOf } from '#page/core/shown.ts';
import { type TileAlarms, useTileAlarms } from '#page/core/tile-alarm.ts';
import { noNumber } from '#page/format/number.ts';
import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { AlarmMark, alarmLook } from './alarm-mark.tsx';
import { classNames } from './class-names.ts';
import { CutName } from './cut-name.tsx';
import { Age, LiveValue, Outdated, Reasons } from './live.tsx';
import { RangeBar, Sparkline, StateStrip } from './small-charts.tsx';
import { StateShape } from './state-shape.tsx';
import { shapeOf, type TileKind, tileKindOf } from './tile-kind.ts';
import { useVariableView, type VariableView } from './variable-view.ts';

/** A tile with the present value of a variable. It links to the variable's trend. */
export function Tile({ variable }: { readonly variable: Variable }) {
	const kind = tileKindOf(variable);
	const view = useVariableView(variable);
	const alarms = useTileAlarms(variable.id).value;
	const link = useTileInView<HTMLAnchorElement>(variable.id, { needsDay: kind === 'number' });
	const { worst } = alarms;
	const look = classNames('tile', kind === 'state' && 'binary', alarmLook(worst));
	return (
		<a class={look} href={trendHrefOf(variable.id)} ref={link} data-id={variable.id}>
			{worst !== null && (
				<AlarmMark severity={worst.severity} state={worst.state} label={alarmMarkLabel(worst.severity, worst.state)} />
			)}
			<TileContent kind={kind} variable={variable} view={view} alarms={alarms} />
			<Reasons variable={variable} view={view} alarm={worst} />
			<Outdated />
		</a>
	);
}

interface TileContentProps {
	readonly kind: TileKind;
	readonly variable: Variable;
	readonly view: VariableView;
	readonly alarms: TileAlarms;
}

/** What a tile shows of its variable: a number with its last hour and day, a state with its last hour, or the bits of a byte. */
function TileContent({ kind, variable: { id, name, unit }, view, alarms }: TileContentProps) {
	const head = (
		<span class="tile-head">
			<CutName name={name} />
			<Age view={view} />
		</span>
	);
	switch (kind) {
		case 'number':
			return (
				<>
					{head}
					<span class="tile-value">
						<LiveValue view={view} unit={unit} size="tile-size" />
						<HourLine id={id} alarms={alarms} />
					</span>
					<Bar id={id} view={view} alarms={alarms} />
				</>
			);
		case 'state':
			return (
				<>
					<StateIcon name={name} view={view} />
					<span>
						{head}
						<span class="tile-value">
							<StateWord name={name} view={view} />
							<HourStrip id={id} />
						</span>
					</span>
				</>
			);
		case 'byte':
			return (
				<>
					{head}
					<Bits view={view} />
				</>
			);
	}
}

/** The sparkline of the last hour, with the limit of the active alarm. */
export function HourLine({ id, alarms }: { readonly id: number; readonly alarms: TileAlarms }) {
	const past = tileHour.of(id).value;
	if (past === undefined) return <span class="sparkline" />;
	// A limit is drawn only while the value is beyond it. A distant limit would make the line flat.
	return (
		<Sparkline past={past} limit={exceededLimit(alarms)} leastSpan={leastSpanOf(past.values, tileDay.of(id).value ?? null)} />
	);
}

/** The strip of the last hour of a state, on and off. */
export function HourStrip({ id }: { readonly id: number }) {
	const past = tileHour.of(id).value;
	// Until the states are read, the strip is hatched. An empty strip would say that the state was off for the whole hour.
	return <StateStrip states={past === undefined ? [] : windowStates(past)} />;
}

/** The word of a state. */
export function StateWord({ name, view }: { readonly name: string; readonly view: VariableView }) {
	const text = stateWords();
	const isOn = view.isOn.value;
	if (view.quality.value === undefined) return <span class="word old">{noNumber}</span>;
	if (isOn === null) return <b class="word unknown">{text.unknown}</b>;
	const words = text[shapeOf(name)];
	return <b class={classNames('word', !view.isCurrent.value && 'old')}>{isOn ? words.on : words.off}</b>;
}

/** The shape of a state. A stale state has the shape of an unknown one. */
function StateIcon({ name, view }: { readonly name: string; readonly view: VariableView }) {
	return <StateShape kind={shapeOf(name)} on={currentStateOf(view.shown.value)} />;
}

/** The bar below a number: where it is in the range of the last day, and the limits of its alarms. */
function Bar({ id, view, alarms }: { readonly id: number; readonly view: VariableView; readonly alarms: TileAlarms }) {
	const band = tileDay.of(id).value ?? null;
	const value = view.shown.value?.value ?? null;
	if (band === null) return null;
	const { worst, limits } = alarms;
	return (
		<RangeBar
			scale={barScaleOf(band, value === null ? limits : [...limits, value])}
			band={band}
			limits={limits}
			value={value}
			excessFrom={exceededLimit(alarms)}
			severity={worst?.severity}
		/>
	);
}

/** The threshold that the value is beyond; null where there is none. The threshold of a bit is no limit of the number. */
function exceededLimit({ worst }: TileAlarms): number | null {
	return worst === null || worst.isOfBit || !worst.isBeyond ? null : worst.threshold;
}

/** The bits of a byte, each with its name and its state. */
function Bits({ view }: { readonly view: VariableView }) {
	const text = stateWords();
	const { off, on } = text.state;
	// Without a usable value, no bit of it is known.
	const isKnown = view.isOn.value !== null;
	return (
		<ul class="bits">
			{(view.shown.value?.bits ?? []).map(({ id, name, value }) => {
				const isOn = isKnown && value !== null ? value === 1 : null;
				const look = isOn === null ? 'unknown' : !view.isCurrent.value && 'old';
				const knownWord = isOn === true ? on : off;
				return (
					<li key={id}>
						{/* A stale bit has the shape of an unknown one, like a stale state. */}
						<StateShape kind="state" on={view.quality.value === 'good' ? isOn : null} />
						<span class="name">{name}</span>
						<b class={classNames('word', look)}>{isOn === null ? text.unknown : knownWord}</b>
					</li>
				);
			})}
		</ul>
	);
}
