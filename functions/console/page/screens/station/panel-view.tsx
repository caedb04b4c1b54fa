import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { ChangesButton, ChangesPanel } from '#page/changes/changes-panel.tsx';
import { type Panel, variables } from '#page/core/definitions.ts';
import { pumpDay } from '#page/core/past/kept-pasts.ts';
import { useWhileLive } from '#page/core/past/past-store.ts';
import { useTilePasts } from '#page/core/past/tiles-in-view.ts';
import { readingOf, useReadings } from '#page/core/readings.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { ForRole } from '#page/parts/for-role.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { Tile } from '#page/parts/tile.tsx';
import { valuesBeside } from './beside.ts';
import { itemViewOf } from './item-view.ts';
import { PumpCard } from './pump-card.tsx';
import { StateCell } from './state-cell.tsx';
import { stationText } from './texts.ts';

/** A schema has one panel, which has no id in its address. Its changes are recorded with this id. */
const panelId = 0;

/** The panel outside of its editor: pumps, valves and states, and the numeric values of the same processes. */
export function PanelView({ panel }: { readonly panel: Panel }) {
	const text = stationText();
	const showsChanges = useSignal(false);
	const { title, pumps, states } = panel;
	const known = variables.rows.value;
	const beside = useMemo(() => (known === undefined ? [] : valuesBeside(panel, known)), [panel, known]);
	const pumpIds = useMemo(() => [...new Set(pumps.map(({ varId }) => varId))], [pumps]);
	useReadings([...new Set([...pumps, ...states].map(({ varId }) => varId)), ...beside.map(({ id }) => id)]);
	// The cards show when the pumps ran in the last day, the tiles their curves.
	useWhileLive((nowMs) => void pumpDay.refresh(pumpIds, nowMs));
	useTilePasts();
	return (
		<>
			<div class="head">
				<h1>{title}</h1>
				{pumps.length > 0 && <Running panel={panel} />}
				<div class="actions">
					<ChangesButton isOpen={showsChanges} />
					<ForRole needs="engineer">
						<Segmented
							label={commonText().viewOrEdit}
							value="view"
							choices={[
								{ value: 'view', label: commonText().view },
								{ value: 'edit', label: commonText().edit },
							]}
							onChoose={(mode) => {
								if (mode === 'edit') goTo(hrefOf('station', 'edit'));
							}}
						/>
					</ForRole>
				</div>
			</div>
			<div class="stack">
				<ChangesPanel kind="panel" itemId={panelId} isOpen={showsChanges} />
				<Pumps pumps={pumps} />
				<States states={states} />
				{beside.length > 0 && (
					<section>
						<h2>{text.beside}</h2>
						<div class="beside">
							{beside.map((variable) => (
								<Tile key={variable.id} variable={variable} />
							))}
						</div>
					</section>
				)}
			</div>
		</>
	);
}

function Pumps({ pumps }: Pick<Panel, 'pumps'>) {
	const text = stationText();
	if (pumps.length === 0) return null;
	return (
		<section class="panel">
			<div class="panel-head">
				<h2>{text.pumps}</h2>
				<span class="muted">{pumps.length}</span>
			</div>
			<ul class="pumps">
				{pumps.map((pump) => (
					<PumpCard key={pump.id} pump={pump} />
				))}
			</ul>
			<p class="field-hint">{text.byMinute}</p>
		</section>
	);
}

function States({ states }: Pick<Panel, 'states'>) {
	if (states.length === 0) return null;
	return (
		<section class="panel">
			<div class="panel-head">
				<h2>{stationText().states}</h2>
				<span class="muted">{states.length}</span>
			</div>
			<ul class="states">
				{states.map((state) => (
					<StateCell key={state.id} state={state} />
				))}
			</ul>
		</section>
	);
}

/** The number of running pumps, among the pumps whose state is known. */
function Running({ panel: { pumps } }: { readonly panel: Panel }) {
	const knownStates = pumps
		.map(({ varId, bit }) => itemViewOf(readingOf(varId).value, bit ?? null).on)
		.filter((on) => on !== null);
	return <span class="sub">{stationText().running(knownStates.filter((on) => on).length, knownStates.length)}</span>;
}
