import type { Variable } from '#page/core/definitions.ts';
import { trendHrefOf } from '#page/core/route.ts';
import { alarmMarkLabel, alarmStateText } from '#page/i18n/alarm-states.ts';
import { AlarmMark, alarmLook } from '#page/parts/alarm-mark.tsx';
import { classNames } from '#page/parts/class-names.ts';
import { Outdated } from '#page/parts/live.tsx';
import { StateShape } from '#page/parts/state-shape.tsx';
import type { DrawnDiagram, DrawnGroup, DrawnSymbol } from './symbols/drawn-diagram.ts';
import { nameOf } from './symbols/scene.tsx';
import { SymbolIcon } from './symbols/symbol-icon.tsx';
import { drawnOn } from './symbols/symbol-state.ts';
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
			{diagram.groups.map(({ frame, symbols }) => {
				const bound = boundOf(symbols);
				const title = frame?.label ?? (diagram.frames.length === 0 ? text.values : text.noFrame);
				return (
					bound.length > 0 && (
						<section key={frame?.id ?? ''} class="d-group">
							<h2>
								{title} <span class="muted">{bound.length}</span>
							</h2>
							<ul>
								{bound.map((symbol) => (
									<li key={symbol.id}>
										<ListedSymbol symbol={symbol} varId={symbol.varId} variables={variables} />
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

function boundOf(symbols: DrawnGroup['symbols']): readonly (DrawnSymbol & { readonly varId: number })[] {
	return symbols
		.flatMap((symbol) => (symbol.varId === null ? [] : [{ ...symbol, varId: symbol.varId }]))
		.toSorted((a, b) => Number(a.kind === 'value') - Number(b.kind === 'value'));
}

interface ListedSymbolProps extends Pick<ProcessListProps, 'variables'> {
	readonly symbol: DrawnSymbol;
	readonly varId: number;
}

function ListedSymbol({ symbol, varId, variables }: ListedSymbolProps) {
	const { kind } = symbol;
	const state = useSymbolState(varId, symbol.bit, kind);
	const { alarm } = state;
	return (
		<a class={classNames('d-row', alarmLook(alarm))} href={trendHrefOf(varId)}>
			{alarm !== null ? (
				<AlarmMark severity={alarm.severity} state={alarm.state} label={alarmMarkLabel(alarm.severity, alarm.state)} />
			) : kind === 'pump' || kind === 'valve' ? (
				<StateShape kind={kind} on={drawnOn(state)} />
			) : (
				<SymbolIcon kind={kind} />
			)}
			<span class="name">
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
