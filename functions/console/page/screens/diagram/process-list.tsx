import type { Variable } from '#page/core/definitions.ts';
import { trendHrefOf } from '#page/core/route.ts';
import { alarmMarkLabel, alarmStateText } from '#page/i18n/alarm-states.ts';
import { AlarmMark, alarmLook } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { Outdated } from '#page/parts/live.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import { type BoundSymbol, boundSymbolsOf, type DrawnDiagram } from './symbols/drawn-diagram.ts';
import { nameOf } from './symbols/scene.tsx';
import { SymbolIcon } from './symbols/symbol-icon.tsx';
import { drawnOn, type SymbolState } from './symbols/symbol-state.ts';
import { Shelved, ShownValue } from './symbols/symbol-words.tsx';
import { useSymbolState } from './symbols/use-symbol-state.ts';
import { diagramText } from './texts.ts';

interface ProcessListProps {
	readonly diagram: DrawnDiagram;
	readonly variables: ReadonlyMap<number, Variable>;
}

/** The content of a diagram as a list by frames, for narrow windows. In each frame, symbols come before values. */
export function ProcessList({ diagram, variables }: ProcessListProps) {
	const text = diagramText();
	return (
		<>
			{diagram.groups.map((group) => {
				const { frame } = group;
				const bound = boundSymbolsOf([group]).toSorted(valuesLast);
				const title = frame?.label ?? (diagram.frames.length === 0 ? text.values : text.noFrame);
				return (
					bound.length > 0 && (
						<section key={frame?.id ?? ''} class="d-group">
							<h2>
								<bdi>{title}</bdi> <span class="muted">{bound.length}</span>
							</h2>
							<ul>
								{bound.map((symbol) => (
									<li key={symbol.id}>
										<ListedSymbol symbol={symbol} variables={variables} />
									</li>
								))}
							</ul>
						</section>
					)
				);
			})}
		</>
	);
}

function valuesLast(one: BoundSymbol, other: BoundSymbol): number {
	return Number(one.kind === 'value') - Number(other.kind === 'value');
}

interface ListedSymbolProps extends Pick<ProcessListProps, 'variables'> {
	readonly symbol: BoundSymbol;
}

/** A symbol as a row: its mark, its name, its value or state, and its alarm in words. */
function ListedSymbol({ symbol, variables }: ListedSymbolProps) {
	const { kind, varId, bit } = symbol;
	const state = useSymbolState(varId, bit, kind);
	const { alarm } = state;
	return (
		<a class={classNames('d-row', alarmLook(alarm))} href={trendHrefOf(varId)}>
			<RowMark kind={kind} state={state} />
			<span class="name" title={nameOf(symbol, variables)}>
				{nameOf(symbol, variables)}
				<Shelved state={state} />
			</span>
			<ShownValue kind={kind} state={state} />
			{alarm !== null && (
				<span class="reason">
					{alarm.name} · {alarmStateText().states[alarm.state].toLowerCase()}
				</span>
			)}
			<Outdated />
		</a>
	);
}

/** The mark at the beginning of a row: that of the alarm, else the shape of a pump or valve, else the icon of the kind. */
function RowMark({ kind, state }: Pick<BoundSymbol, 'kind'> & { readonly state: SymbolState }) {
	const { alarm } = state;
	if (alarm !== null)
		return <AlarmMark severity={alarm.severity} state={alarm.state} label={alarmMarkLabel(alarm.severity, alarm.state)} />;
	return kind === 'pump' || kind === 'valve' ? <StateShape kind={kind} on={drawnOn(state)} /> : <SymbolIcon kind={kind} />;
}
