import { alarmMarkLabel } from '#page/i18n/alarm-states.ts';
import { AlarmMark, alarmLook } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { Icon } from '#page/parts/icon.tsx';
import { SymbolArt } from './symbol-art.tsx';
import { boxOf, centredInside, type PlacedSymbol } from './symbol-geometry.ts';
import { faultOf, type SymbolState } from './symbol-state.ts';
import { SymbolWords, type WordedSymbol } from './symbol-words.tsx';

interface SymbolProps {
	readonly symbol: WordedSymbol;
	/** The name that is written; empty for none. */
	readonly name: string;
	readonly state: SymbolState;
}

/** Draws the content of a symbol's element: its shape, its words, and the mark of its alarm. */
export function SymbolContent({ symbol, name, state }: SymbolProps) {
	const { alarm } = state;
	return (
		<>
			{alarm !== null && (
				<AlarmMark
					severity={alarm.severity}
					state={alarm.state}
					label={`${alarmMarkLabel(alarm.severity, alarm.state)}: ${alarm.name}`}
				/>
			)}
			<SymbolArt symbol={symbol} state={state} />
			<SymbolWords symbol={symbol} name={name} state={state} />
		</>
	);
}

/** Draws a symbol on a small map: its shape, and one mark for its alarm or for the fault of its data. */
export function MapSymbol({ symbol, state }: Pick<SymbolProps, 'symbol' | 'state'>) {
	const fault = state.isOutdated ? null : faultOf(state);
	return (
		<>
			<SymbolArt symbol={symbol} state={state} />
			{state.alarm !== null ? (
				<AlarmMark severity={state.alarm.severity} state={state.alarm.state} />
			) : (
				fault !== null && <Icon name={`q-${fault}`} class="alarm-mark unknown" />
			)}
		</>
	);
}

/** Returns the classes of a symbol's element: its kind, and the severity and state of its alarm. */
export function symbolLook(symbol: PlacedSymbol, state: SymbolState): string {
	const { alarm, quality } = state;
	return classNames(
		'd-symbol',
		`d-${symbol.kind}`,
		symbol.kind === 'value' && 'diagram-item',
		alarmLook(alarm),
		quality === null && 'unbound',
	);
}

/** Returns the place of a symbol's element in the drawing. Near an edge a value or text is moved inwards, so that none of it is cut off. */
export function symbolStyle(symbol: PlacedSymbol, ratio: number): Readonly<Record<string, string>> {
	const { left, top, width, height } = boxOf(symbol, ratio);
	const place = { left: percent(left), top: percent(top) };
	if (symbol.kind === 'value' || symbol.kind === 'text') return { ...place, translate: centredInside(symbol) };
	return symbol.kind === 'join' ? place : { ...place, width: percent(width), height: percent(height) };
}

function percent(share: number): string {
	return `${Math.round(share * 100_000) / 1000}%`;
}
