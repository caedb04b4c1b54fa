import { isolatedName } from '#domain/isolated-name.ts';
import type { Schemas } from '#page/core/api.ts';
import { now } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { readingOf } from '#page/core/readings.ts';
import { formatAge, formatUtc } from '#page/format/time.ts';
import { StateShape } from '#page/parts/state-shape.tsx';
import { ItemReason, ItemWord } from './item-status.tsx';
import { itemViewOf } from './item-view.ts';
import { stateKindOf } from './state-kind.ts';
import { stationText } from './texts.ts';

/** A valve or another state: its shape, its name, the variable that it comes from, and the word of the state. */
export function StateCell({ state }: { readonly state: Schemas['State'] }) {
	const text = stationText();
	const view = itemViewOf(readingOf(state.varId).value, state.bit ?? null);
	const variable = variables.rows.value?.get(state.varId);
	const kind = stateKindOf(state.name, variable);
	const at = view.shown?.at ?? null;
	const source = [
		variable === undefined || variable.name === state.name ? '' : isolatedName(variable.name),
		state.bit === null || state.bit === undefined ? '' : text.bit(state.bit),
	]
		.filter((part) => part !== '')
		.join(', ');
	return (
		<li class="state">
			<StateShape kind={kind} on={view.on} />
			<div>
				<span class="name" title={state.name}>
					{state.name}
				</span>
				{view.on === null ? (
					<ItemReason view={view} varId={state.varId} />
				) : (
					<small title={at === null ? undefined : formatUtc(at)}>
						{[source, at === null ? '' : formatAge(now.value - at)].filter((part) => part !== '').join(' · ')}
					</small>
				)}
			</div>
			<ItemWord kind={kind} view={view} />
		</li>
	);
}
