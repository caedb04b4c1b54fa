import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { aggregates, queryAggregates } from '#domain/variable/aggregates.ts';
import { type TimeUnit, timeUnits } from '#domain/variable/duration.ts';
import { numberSigns } from '#page/core/number-signs.ts';
import { parseTyped } from '#page/format/typed-number.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Field } from '#page/parts/field.tsx';
import { SegmentedField } from '#page/parts/segmented.tsx';
import { Select } from '#page/parts/select.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import type { QueryDraft } from './draft.ts';
import { editorText } from './editor-texts.ts';
import type { TagsFieldProps } from './tags-field.tsx';

const TagsField = lazyScreen(async () => (await import('./tags-field.tsx')).TagsField);

/** Properties of QueryFields. */
export interface QueryFieldsProps {
	readonly query: QueryDraft;
	/** Whether the samples are bytes of bits. Some aggregates cannot be used for them. */
	readonly areBytes: boolean;
	/** Whether several sources write what the query reads, so that it has no value. */
	readonly hasSeveral: boolean;
	/** Returns the words for the problem of a field, by the service's name of the field. */
	readonly errorAt: (field: string) => string | undefined;
	readonly onChange: (query: QueryDraft) => void;
}

/** The fields of a query: topic and field, tags where they are needed, lookback, period and aggregate. */
export function QueryFields({ query, areBytes, hasSeveral, errorAt, onChange }: QueryFieldsProps) {
	const text = editorText();
	const change = (part: Partial<QueryDraft>): void => onChange({ ...query, ...part });
	const { aggregate } = query;
	const choices = queryAggregates.filter((name) => !areBytes || aggregates[name].ofBytes);
	return (
		<>
			<div class="query-source">
				<Field label={commonText().topic} error={errorAt('calc_topic')}>
					{(ties) => <TextInput {...ties} value={query.topic} spellcheck={false} onText={(topic) => change({ topic })} />}
				</Field>
				<Field label={text.field} error={errorAt('calc_field')}>
					{(ties) => <TextInput {...ties} value={query.field} spellcheck={false} onText={(field) => change({ field })} />}
				</Field>
			</div>
			<QueryTags query={query} hasSeveral={hasSeveral} errorAt={errorAt} onChange={(tags) => change({ tags })} />
			<div class="query-times">
				{choices.length > 1 && (
					<SegmentedField
						label={text.aggregate}
						value={aggregate}
						choices={choices.map((value) => ({ value, label: text.aggregates[value] }))}
						onChoose={(value) => change({ aggregate: value })}
					/>
				)}
				<LengthField
					label={text.period[aggregate]}
					hint={text.periodHint[aggregate]}
					error={errorAt('calc_period') ?? errorAt('calc_type_period')}
					count={query.period}
					unit={query.periodUnit}
					onChange={(period, periodUnit) => change({ period, periodUnit })}
				/>
				<LengthField
					label={text.lookback}
					hint={text.lookbackHint}
					error={errorAt('calc_time') ?? errorAt('calc_unit')}
					count={query.lookback}
					unit={query.lookbackUnit}
					onChange={(lookback, lookbackUnit) => change({ lookback, lookbackUnit })}
				/>
			</div>
		</>
	);
}

/** The tags of a query, or the button that asks for them. They are also asked for where several sources write. */
function QueryTags({ hasSeveral, ...props }: TagsFieldProps & Pick<QueryFieldsProps, 'hasSeveral'>) {
	const isOpened = useSignal(false);
	useEffect(() => {
		if (hasSeveral) isOpened.value = true;
	}, [hasSeveral]);
	if (isOpened.value || props.query.tags.length > 0) return <TagsField {...props} />;
	const open = (): void => {
		isOpened.value = true;
	};
	return (
		<p>
			<Button small onClick={open}>
				{editorText().chooseByTags}
			</Button>
		</p>
	);
}

interface LengthFieldProps {
	readonly label: string;
	readonly hint: string;
	readonly error: string | undefined;
	readonly count: string;
	readonly unit: TimeUnit;
	readonly onChange: (count: string, unit: TimeUnit) => void;
}

/** The fields for a length of time: a number and its unit. */
function LengthField({ label, hint, error, count, unit, onChange }: LengthFieldProps) {
	const text = editorText();
	const isUnreadable = error !== undefined && parseTyped(count) === null;
	return (
		<Field label={label} hint={hint} error={isUnreadable ? commonText().numberMissing(numberSigns.value.decimal) : error}>
			{(ties) => (
				<span class="length">
					<TextInput {...ties} inputMode="decimal" value={count} onText={(typed) => onChange(typed, unit)} />
					<Select
						aria-label={text.unitOf(label)}
						value={unit}
						choices={timeUnits.map((value) => ({ value, label: text.units[value] }))}
						onChoose={(value) => onChange(count, value)}
					/>
				</span>
			)}
		</Field>
	);
}
