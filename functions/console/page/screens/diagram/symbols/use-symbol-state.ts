import type { SymbolKind } from '#domain/board/symbol-kinds.ts';
import { now } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { readingOf } from '#page/core/readings.ts';
import { isStateUnit, shownOf } from '#page/core/shown.ts';
import { alarmsOfBinding } from '#page/core/tile-alarm.ts';
import { useStable } from '#page/core/use-stable.ts';
import { formatValue } from '#page/format/number.ts';
import { formatAge } from '#page/format/time.ts';
import { flowOf, type PipeFlow, type SymbolState, symbolStateOf, unboundState } from './symbol-state.ts';

/**
 * Returns the state that a symbol or a pipe shows: the reading of its variable, its alarms, and whether all values are out of date. The
 * component is drawn again only when this state changes.
 * @param varId the variable; null if the symbol is not bound
 * @param bit the position of a bit; null for the whole value
 * @param kind the kind of a symbol; pumps and valves always show on or off, even for a variable that is a number
 */
export function useSymbolState(varId: number | null, bit: number | null, kind?: SymbolKind): SymbolState {
	const isMachine = kind === 'pump' || kind === 'valve';
	return useStable(() => (varId === null ? unboundState : currentState(varId, bit, { isMachine })), [varId, bit, isMachine])
		.value;
}

/** Returns the known flow of a pipe. It changes much less often than the value, so the pipe is rarely drawn again. */
export function usePipeFlow({ varId, bit, over }: FlowBinding): PipeFlow {
	return useStable(() => flowOf(varId === null ? unboundState : currentState(varId, bit), over), [varId, bit, over]).value;
}

/** The properties of a pipe that decide its flow. */
interface FlowBinding {
	readonly varId: number | null;
	readonly bit: number | null;
	readonly over: number;
}

/** Returns the present state of a variable or bit. That of a machine, which is a pump or a valve, is on or off. */
function currentState(varId: number, bit: number | null, { isMachine = false } = {}): SymbolState {
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
	// The reading of a missing variable has no unit. Without a reading, the unit comes from the definition.
	return state.unit === '' ? { ...state, unit } : state;
}
