import { now } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { readingOf } from '#page/core/readings.ts';
import { isStateUnit, shownOf } from '#page/core/shown.ts';
import { alarmsOfBinding } from '#page/core/tile-alarm.ts';
import { useStable } from '#page/core/use-stable.ts';
import { formatValue } from '#page/format/number.ts';
import { formatAge } from '#page/format/time.ts';
import type { SymbolKind } from './symbol-geometry.ts';
import { flowOf, type PipeFlow, type SymbolState, symbolStateOf, unboundState } from './symbol-state.ts';

/**
 * Follows what a symbol or a pipe shows: its variable's reading, its alarms, and whether all of that is out of date. A component that uses it
 * is drawn again only when that changes.
 * @param varId null: it is not bound
 * @param bit null: the whole value
 * @param kind of a symbol: pumps and valves are on or off whatever number they are bound to
 */
export function useSymbolState(varId: number | null, bit: number | null, kind?: SymbolKind): SymbolState {
	const isMachine = kind === 'pump' || kind === 'valve';
	return useStable(() => (varId === null ? unboundState : currentState(varId, bit, isMachine)), [varId, bit, isMachine]).value;
}

/** Follows what is known of a pipe's flow. It changes far more seldom than the value that it follows from. */
export function usePipeFlow({ varId, bit, over }: FlowBinding): PipeFlow {
	return useStable(() => flowOf(varId === null ? unboundState : currentState(varId, bit, false), over), [varId, bit, over]).value;
}

/** What decides the flow of a pipe. */
interface FlowBinding {
	readonly varId: number | null;
	readonly bit: number | null;
	readonly over: number;
}

function currentState(varId: number, bit: number | null, isMachine: boolean): SymbolState {
	const reading = readingOf(varId).value;
	const unit = variables.rows.value?.get(varId)?.unit ?? '';
	const state = symbolStateOf({
		shown: reading === undefined ? null : shownOf(reading),
		bit,
		isState: isMachine || bit !== null || isStateUnit(unit),
		alarms: alarmsOfBinding(varId, bit),
		isOutdated: showsOutdated.value,
		format: (value) => formatValue(varId, value),
		formatAge: (at) => formatAge(now.value - at),
	});
	// A missing variable's reading has no unit; until something was read, the definition has it.
	return state.unit === '' ? { ...state, unit } : state;
}
