import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useDefinitions, type Variable, variables } from '#page/core/definitions.ts';
import { useTilePasts } from '#page/core/past/tiles-in-view.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { preference } from '#page/core/preferences.ts';
import { faults } from '#page/core/rank.ts';
import { type Quality, readingOf, useReadings } from '#page/core/readings.ts';
import { useStable } from '#page/core/use-stable.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { Button } from '#page/parts/button.tsx';
import { Chip } from '#page/parts/chip.tsx';
import { EmptyState, NoVariables, VariablesUnread } from '#page/parts/empty-state.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { shellText } from '#page/shell/texts.ts';
import { moveByArrow } from './arrow-keys.ts';
import { Lane, PlantList } from './lane.tsx';
import { matches, type Process, processesOf } from './model.ts';
import { NowColumn } from './now-column.tsx';
import { overviewText } from './texts.ts';

/** In a plant with more variables than this, rows are shown unless the person chose tiles. The search does not change that. */
const maxTiles = 120;

/** If the search and the filters leave more variables than this, only the rows near the view are in the page, and tiles are not offered. */
const maxInPage = 500;

/** How the person wants to see the variables; `auto` is by their number. */
const chosenView = preference<'auto' | 'tiles' | 'rows'>('overview', {
	byDefault: 'auto',
	parse: (text) => (text === 'tiles' || text === 'rows' ? text : null),
});

/** The screen `overview`: every variable of the plant, by process and worst first. */
export function Overview() {
	useDefinitions('variables');
	const all = variables.rows.value;
	const ids = useMemo(() => [...(all?.keys() ?? [])], [all]);
	useReadings(ids);
	if (all !== undefined && all.size > 0) return <Plant all={all} ids={ids} />;
	return (
		<>
			<div class="head">
				<h1>{shellText().screens.overview}</h1>
			</div>
			{all !== undefined ? <NoVariables icon="i-overview" hint={overviewText().emptyHint} /> : <VariablesUnread />}
		</>
	);
}

interface PlantProps {
	readonly all: ReadonlyMap<number, Variable>;
	readonly ids: readonly number[];
}

/** The variables of a plant that has some, with the search and the filters. */
function Plant({ all, ids }: PlantProps) {
	const text = overviewText();
	const search = useSignal('');
	const qualities = useSignal<readonly Quality[]>([]);
	useTilePasts();
	const { shown, processes } = useShown(all, ids, search, qualities);
	const usualView = all.size > maxTiles ? 'rows' : 'tiles';
	const view = chosenView.value === 'auto' ? usualView : chosenView.value;
	const clear = (): void => {
		search.value = '';
		qualities.value = [];
	};
	return (
		<>
			<div class="head">
				<h1>{shellText().screens.overview}</h1>
				<QualityFilters ids={ids} chosen={qualities} />
				<div class="actions">
					<TextInput
						name="search"
						icon="i-search"
						aria-label={text.find}
						placeholder={text.find}
						value={search.value}
						onText={(typed) => {
							search.value = typed;
						}}
						onKeyDown={(event) => {
							if (event.key === 'Escape') clear();
						}}
					/>
					{shown.length <= maxInPage && <ViewChoice view={view} />}
				</div>
			</div>
			<p class="sr" role="status">
				{shown.length < ids.length && text.shown(shown.length, ids.length)}
			</p>
			<VariablesUnread />
			<div class="with-now">
				<div class="lanes-box" onKeyDownCapture={moveByArrow}>
					{shown.length === 0 && (
						<EmptyState icon="i-search" title={commonText().nothingMatches}>
							<Button onClick={clear}>{commonText().clear}</Button>
						</EmptyState>
					)}
					{shown.length > maxInPage && <PlantList processes={processes} variables={all} />}
					{shown.length > 0 && shown.length <= maxInPage && <Lanes processes={processes} variables={all} view={view} />}
				</div>
				<NowColumn variables={all} />
			</div>
		</>
	);
}

interface ViewChoiceProps {
	readonly view: 'tiles' | 'rows';
}

/** The choice of tiles or rows, which this browser keeps. */
function ViewChoice({ view }: ViewChoiceProps) {
	const text = overviewText();
	return (
		<Segmented
			label={text.view}
			value={view}
			choices={[
				{ value: 'tiles', label: text.tiles },
				{ value: 'rows', label: text.rows },
			]}
			onChoose={(chosen) => {
				chosenView.value = chosen;
			}}
		/>
	);
}

interface LanesProps extends ViewChoiceProps {
	readonly processes: readonly Process[];
	readonly variables: ReadonlyMap<number, Variable>;
}

/** A lane for each process. */
function Lanes({ processes, variables: all, view }: LanesProps) {
	return (
		<div class={view === 'rows' ? 'lanes overview-rows' : 'lanes'}>
			{processes.map((process) => (
				<Lane key={process.name} process={process} variables={all} view={view} />
			))}
		</div>
	);
}

/** Returns the ids of the variables that match search and filters, and the processes with them. They follow the readings. */
function useShown(
	all: ReadonlyMap<number, Variable>,
	ids: readonly number[],
	search: Signal<string>,
	qualities: Signal<readonly Quality[]>,
) {
	const shown = useStable(
		() =>
			ids.filter((id) => {
				const variable = all.get(id);
				if (variable === undefined || !matches(variable, search.value)) return false;
				if (qualities.value.length === 0) return true;
				const quality = readingOf(id).value?.quality;
				return quality !== undefined && qualities.value.includes(quality);
			}),
		[all],
	).value;
	// The order of the processes is that of all variables, so a filter does not change it.
	const processes = useMemo(() => {
		const isShown = new Set(shown);
		return processesOf(all.values())
			.map(({ name, ids: idsOfProcess }) => ({ name, ids: idsOfProcess.filter((id) => isShown.has(id)) }))
			.filter(({ ids: shownIds }) => shownIds.length > 0);
	}, [shown, all]);
	return { shown, processes };
}

interface QualityFiltersProps {
	readonly ids: readonly number[];
	/** The qualities that are shown; all where it is empty. */
	readonly chosen: Signal<readonly Quality[]>;
}

/** The number of variables, in all and by quality. A press on a quality filters by it. If all values are out of date, it says only that. */
function QualityFilters({ ids, chosen }: QualityFiltersProps) {
	const text = overviewText();
	const counts = useStable(() => {
		const qualities = ids.map((id) => readingOf(id).value?.quality);
		return [...faults, 'good' as const].map((quality) => ({
			quality,
			count: qualities.filter((each) => each === quality).length,
		}));
	}, [ids]).value;
	if (showsOutdated.value) return <Chip count={ids.length} word={commonText().outdated} icon="q-stale" quality />;
	return (
		<fieldset class="chips" aria-label={commonText().showOnly}>
			<Chip count={ids.length} word={text.variables} />
			{counts
				.filter(({ quality, count }) => count > 0 || chosen.value.includes(quality))
				.map(({ quality, count }) => (
					<Chip
						key={quality}
						count={count}
						word={qualityWords()[quality]}
						icon={`q-${quality}`}
						quality={quality !== 'good'}
						pressed={chosen.value.includes(quality)}
						onToggle={() => {
							chosen.value = chosen.value.includes(quality)
								? chosen.value.filter((each) => each !== quality)
								: [...chosen.value, quality];
						}}
					/>
				))}
		</fieldset>
	);
}
