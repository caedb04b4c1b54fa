import type { Signal } from '@preact/signals';
import { showsOutdated } from '#page/core/poll.ts';
import { faults } from '#page/core/rank.ts';
import { type Quality, readingOf } from '#page/core/readings.ts';
import { useStable } from '#page/core/use-stable.ts';
import { qualityWords } from '#page/i18n/reasons.ts';
import { Chip } from '#page/parts/chip.tsx';
import { shellText } from '#page/shell/texts.ts';
import { overviewText } from './texts.ts';

interface QualityFiltersProps {
	readonly ids: readonly number[];
	/** The qualities that are shown; all where it is empty. */
	readonly chosen: Signal<readonly Quality[]>;
}

/** How many variables there are, and of each quality; each quality is a filter. */
export function QualityFilters({ ids, chosen }: QualityFiltersProps) {
	const text = overviewText();
	const counts = useStable(() => {
		const qualities = ids.map((id) => readingOf(id).value?.quality);
		return [...faults, 'good' as const].map((quality) => ({
			quality,
			count: qualities.filter((each) => each === quality).length,
		}));
	}, [ids]).value;
	if (showsOutdated.value) return <Chip count={ids.length} word={shellText().outdated} icon="q-stale" quality />;
	return (
		<fieldset class="chips" aria-label={text.filters}>
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
