import type { Signal } from '@preact/signals';
import { Button } from '#page/parts/button.tsx';
import { Chip } from '#page/parts/chip.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { addText } from './add-texts.ts';
import { type ChoiceFilter, type ChoiceView, choiceFilters } from './choice.ts';
import { lengthText } from './length-text.ts';
import { lengthOf } from './lengths.ts';

/** The choices of a person that decide which series the table shows. */
export type ChoiceNarrowing = Pick<ChoiceView, 'prefix' | 'search' | 'filter' | 'writtenWithinMs'>;

interface ChooseFiltersProps {
	readonly narrowing: Signal<ChoiceNarrowing>;
	/** The number of series that pass each filter. */
	readonly counts: Readonly<Record<ChoiceFilter, number>>;
	/** Reads the list of topics again. */
	readonly onRead: () => void;
}

/** The choices of how recent the newest sample must be: 31 days, a day and an hour. */
const writtenWithinSeconds = [31 * 86_400, 86_400, 3600] as const;

/** The search, the filters with their numbers, and the button that reads the list again. */
export function ChooseFilters({ narrowing, counts, onRead }: ChooseFiltersProps) {
	const text = addText();
	const { search, filter, writtenWithinMs } = narrowing.value;
	const narrow = (part: Partial<ChoiceNarrowing>): void => {
		narrowing.value = { ...narrowing.value, ...part };
	};
	return (
		<div class="line wrap add-filters">
			<div class="variable-search">
				<TextInput
					name="search"
					icon="i-search"
					aria-label={text.topicOrField}
					placeholder={text.topicOrField}
					value={search}
					onText={(typed) => narrow({ search: typed })}
				/>
			</div>
			<fieldset class="line wrap" aria-label={text.filtersLabel}>
				{choiceFilters.map((name) => (
					<Chip
						key={name}
						count={counts[name]}
						word={text.filters[name]}
						icon={name === 'silent' ? 'q-stale' : undefined}
						quality={name === 'silent'}
						pressed={filter === name}
						onToggle={() => narrow({ filter: name })}
					/>
				))}
			</fieldset>
			<div class="actions">
				<span class="muted" aria-hidden="true">
					{text.writtenIn}
				</span>
				<Select
					aria-label={text.writtenIn}
					value={String(writtenWithinMs ?? '')}
					choices={[
						{ value: '', label: text.ever },
						...writtenWithinSeconds.map((seconds) => ({ value: String(seconds * 1000), label: lengthText(lengthOf(seconds)) })),
					]}
					onChoose={(value) => narrow({ writtenWithinMs: value === '' ? null : Number(value) })}
				/>
				<Button icon="i-refresh" onClick={onRead}>
					{text.readAgain}
				</Button>
			</div>
		</div>
	);
}
