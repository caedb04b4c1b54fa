import { formatExact, noNumber } from '#page/format/number.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { classNames } from '#page/parts/class-names.ts';
import { Icon } from '#page/parts/icon.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { QualityMark, ValueText } from '#page/parts/value-text.tsx';
import { diagramText } from '../texts.ts';
import { shapeKindOf } from './symbol-art.tsx';
import { type PlacedSymbol, type WordsSide, wordsOf } from './symbol-geometry.ts';
import { drawnOn, faultOf, isCurrent, type SymbolState, scaleOf, type TankScale, waterOf } from './symbol-state.ts';

/** The properties of a symbol that decide its words and their place. */
export interface WordedSymbol extends PlacedSymbol {
	readonly scale?: TankScale | undefined;
	readonly words?: WordsSide | undefined;
}

interface WordsProps {
	readonly symbol: WordedSymbol;
	readonly name: string;
	readonly state: SymbolState;
}

/** Draws the words of a symbol: its name, its value or state, and the fault of its data. */
export function SymbolWords({ symbol, name, state }: WordsProps) {
	const side = wordsOf(symbol, symbol.words);
	switch (symbol.kind) {
		case 'tank':
			return <TankWords symbol={symbol} side={side} name={name} state={state} />;
		case 'filter':
			// Without a stored side, the words are on a plate in the filter.
			if (symbol.words !== undefined) return <Beside side={side} name={name} state={state} kind="filter" />;
			// A quality of null means that the symbol has no variable, so there is no value to put on a plate.
			return state.quality === null ? (
				<span class="d-words above">
					<Name name={name} state={state} />
				</span>
			) : (
				<span class="d-plate">
					<Name name={name} state={state} />
					<ShownValue kind="filter" state={state} />
				</span>
			);
		case 'pump':
		case 'valve':
		case 'network':
			return <Beside side={side} name={name} state={state} kind={symbol.kind} />;
		case 'value':
			return (
				<>
					<small class="d-name">
						{name}
						<Shelved state={state} />
					</small>
					<ShownValue kind="value" state={state} />
				</>
			);
		case 'source':
		case 'text':
		case 'frame':
			return <span class="d-title">{name}</span>;
		case 'join':
			return null;
	}
}

/** The mark of a shelved alarm. An open alarm replaces it. */
export function Shelved({ state: { isShelved, alarm } }: Pick<WordsProps, 'state'>) {
	return isShelved && alarm === null ? <Icon name="a-shelved" label={alarmStateText().states.shelved} class="d-shelved" /> : null;
}

/**
 * The value or the word of the state, with the fault of the data below it. If all values are out of date, the banner at the top says so
 * instead.
 */
export function ShownValue({ kind, state }: Pick<WordsProps, 'state'> & { readonly kind: PlacedSymbol['kind'] }) {
	const fault = state.isOutdated ? null : faultOf(state);
	return (
		<>
			{state.isOn === undefined ? (
				<ValueText text={state.text} unit={state.unit} current={isCurrent(state)} />
			) : (
				<StateWord kind={kind} state={state} />
			)}
			{fault !== null && <QualityMark quality={fault} word={[qualityWords()[fault], state.age ?? ''].join(' ').trim()} />}
		</>
	);
}

/** The least distance between two values of a scale, as a share of the tank. Values that are closer to another one are left out. */
const leastGap = 0.09;

/** The words of a tank. Above or below it, the value is on a plate in the tank; beside it, all words are in a column. */
function TankWords({ side, symbol, name, state }: WordsProps & { readonly side: WordsSide }) {
	if (side === 'left' || side === 'right') return <Beside side={side} name={name} state={state} kind="tank" symbol={symbol} />;
	return (
		<>
			<span class={`d-words ${side}`}>
				<Name name={name} state={state} />
			</span>
			{state.quality !== null && (
				<span class="d-plate">
					<ShownValue kind="tank" state={state} />
					<NoScale symbol={symbol} state={state} />
				</span>
			)}
			<Scale symbol={symbol} state={state} hasEnds />
		</>
	);
}

/**
 * The values at the ticks and, with `hasEnds`, at those ends of the scale that are not too close to a tick. They are hidden from screen
 * readers, which find the thresholds at the alarms. A tank without a variable has no values.
 */
function Scale({ symbol, state, hasEnds }: Pick<WordsProps, 'symbol' | 'state'> & { readonly hasEnds: boolean }) {
	const scale = scaleOf(symbol.scale, state.unit);
	if (state.quality === null || scale === null) return null;
	const ticks = spacedTicks(waterOf(state, scale).ticks);
	const [empty, full] = scale;
	const ends = [
		{ at: 0, value: empty },
		{ at: 1, value: full },
	].filter(({ at }) => ticks.every((tick) => Math.abs(tick.at - at) >= leastGap));
	return (
		<span class="d-scale" aria-hidden="true">
			{ticks.map(({ at, limit }) => (
				<b key={limit} style={{ bottom: `${at * 100}%` }}>
					{formatExact(limit)}
				</b>
			))}
			{hasEnds &&
				ends.map(({ at, value }) => (
					<span key={`end ${at}`} style={{ bottom: `${at * 100}%` }}>
						{formatExact(value)}
					</span>
				))}
		</span>
	);
}

/** Says that a tank with a variable is drawn without a level, because the values at which it is empty and full are missing. */
function NoScale({ symbol, state }: Pick<WordsProps, 'symbol' | 'state'>) {
	if (state.quality === null || scaleOf(symbol.scale, state.unit) !== null) return null;
	const { noScale, noScaleHint } = diagramText();
	return (
		<span class="d-name" title={noScaleHint}>
			{noScale}
		</span>
	);
}

/** Leaves out ticks, given in ascending order, whose labels would overlap that of the tick below. */
function spacedTicks<Tick extends { readonly at: number }>(ticks: readonly Tick[]): readonly Tick[] {
	const spaced: Tick[] = [];
	for (const tick of ticks) {
		const below = spaced.at(-1);
		if (below === undefined || tick.at - below.at >= leastGap) spaced.push(tick);
	}
	return spaced;
}

interface BesideProps extends Pick<WordsProps, 'name' | 'state'> {
	readonly side: WordsSide;
	readonly kind: PlacedSymbol['kind'];
	/** The tank whose scale is drawn; left out for other kinds. */
	readonly symbol?: WordedSymbol;
}

/** The name, the value and the fault in a column beside the symbol. */
function Beside({ side, name, state, kind, symbol }: BesideProps) {
	return (
		<>
			<span class={`d-words ${side}`}>
				<Name name={name} state={state} />
				{state.quality !== null && <ShownValue kind={kind} state={state} />}
				{symbol !== undefined && <NoScale symbol={symbol} state={state} />}
			</span>
			{symbol !== undefined && <Scale symbol={symbol} state={state} hasEnds={false} />}
		</>
	);
}

function Name({ name, state }: Pick<WordsProps, 'name' | 'state'>) {
	return (
		<span class="d-name">
			{name}
			<Shelved state={state} />
		</span>
	);
}

/** The word of a state. A shape stands before it, except for a pump and a valve, which are drawn in that shape themselves. */
function StateWord({ kind, state }: Pick<WordsProps, 'state'> & { readonly kind: PlacedSymbol['kind'] }) {
	const text = stateWords();
	const shape = shapeKindOf(kind);
	const on = drawnOn(state);
	const isRead = state.quality !== undefined;
	const known = on === null ? text.unknown : text[shape][on ? 'on' : 'off'];
	const look = isRead && on === null ? 'unknown' : !isCurrent(state) && 'old';
	return (
		<span class="item-state">
			{shape === 'state' && <StateShape kind="state" on={on} />}
			<b class={classNames('word', look)}>{isRead ? known : noNumber}</b>
		</span>
	);
}
