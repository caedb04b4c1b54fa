import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo } from 'preact/hooks';
import { choosesTagSet, maxQueryTags, type Tags, tagIn, tagSetText } from '#domain/variable/tags.ts';
import { createDelay } from '#page/core/delay.ts';
import { sessionCheck } from '#page/core/session.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Field } from '#page/parts/field.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { useNextFocus } from '#page/parts/use-next-focus.ts';
import { compareNames } from './add/topic-path.ts';
import { type QueryDraft, type TagDraft, tagDraftsOf } from './draft.ts';
import { readTagSets } from './read-tag-sets.ts';
import { differingKeys, tagsOfKeys } from './tag-sets.ts';
import { tagsText } from './tags-texts.ts';

/** Properties of TagsField. */
export interface TagsFieldProps {
	readonly query: QueryDraft;
	/** Returns the words for the problem of a field, by the service's name of the field: `calc_tags.slave_id`. */
	readonly errorAt: (field: string) => string | undefined;
	readonly onChange: (tags: readonly TagDraft[]) => void;
}

const emptyTag: TagDraft = { key: '', value: '' };

/** The tags by which a query chooses series: a row for each, with what the database holds to choose from. Any other text may be typed. */
export function TagsField({ query, errorAt, onChange }: TagsFieldProps) {
	const text = tagsText();
	const { root, focusNext } = useNextFocus<HTMLFieldSetElement>();
	const tagSets = useTagSets(query);
	const rows = query.tags.length === 0 ? [emptyTag] : query.tags;
	const errorOf = ({ key }: TagDraft, index: number): string | undefined =>
		rows.findIndex((row) => row.key === key) < index && key !== '' ? text.repeated : errorAt(`calc_tags.${key}`);
	return (
		<fieldset class="tags-field" aria-label={text.tags} ref={root}>
			{tagSets !== null && tagSets.length > 1 && <SourceField tagSets={tagSets} tags={query.tags} onChange={onChange} />}
			{rows.map((tag, index) => (
				<TagRow
					// biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its place while its key is typed.
					key={index}
					tag={tag}
					error={errorOf(tag, index)}
					canRemove={query.tags.length > 0}
					candidates={(tagSets ?? []).filter((tagSet) => choosesTagSet(tagsOf(rows.toSpliced(index, 1)), tagSet))}
					onChange={(changed) => onChange(rows.with(index, changed))}
					onRemove={() => {
						focusNext.current = ['[data-act="add tag"]'];
						onChange(rows.toSpliced(index, 1));
					}}
				/>
			))}
			<div class="line wrap">
				<Button
					small
					icon="i-plus"
					data-act="add tag"
					disabled={rows.length >= maxQueryTags}
					onClick={() => {
						focusNext.current = ['.tag-row:last-of-type input'];
						onChange([...rows, emptyTag]);
					}}
				>
					{text.addTag}
				</Button>
				<span class="muted">{text.hint}</span>
			</div>
			{tagSets === null && <p class="muted">{text.unread}</p>}
			{errorAt('calc_tags') !== undefined && <p class="fault">{errorAt('calc_tags')}</p>}
		</fieldset>
	);
}

/** How long the typing of a topic must pause before its tags are read, in milliseconds. */
const typingMs = 400;

/** Returns the tag sets of a query's topic and field: none until they are read, null if they could not be read. */
function useTagSets({ topic, field }: QueryDraft): readonly Tags[] | null {
	const tagSets = useSignal<readonly Tags[] | null>([]);
	const delay = useMemo(() => createDelay(typingMs), []);
	useEffect(() => {
		const isSameSession = sessionCheck();
		let isCurrent = true;
		tagSets.value = [];
		if (topic !== '')
			delay.start(async () => {
				const result = await readTagSets(topic, field);
				if (isCurrent && isSameSession()) tagSets.value = result.ok ? result.data : null;
			});
		return () => {
			isCurrent = false;
			delay.cancel();
		};
	}, [topic, field]);
	return tagSets.value;
}

/** Returns the tags of rows in which something is typed. */
function tagsOf(rows: readonly TagDraft[]): Tags {
	return Object.fromEntries(rows.filter(({ key }) => key !== '').map(({ key, value }) => [key, value]));
}

interface SourceFieldProps {
	readonly tagSets: readonly Tags[];
	readonly tags: readonly TagDraft[];
	readonly onChange: (tags: readonly TagDraft[]) => void;
}

/** The field that chooses one of several sources by the tags that tell it from the others. */
function SourceField({ tagSets, tags, onChange }: SourceFieldProps) {
	const text = tagsText();
	const list = useId();
	const typed = useSignal('');
	/** The tags of each source by their words, by the size of the numbers in them. */
	const sources = useMemo(() => {
		const keys = differingKeys(tagSets);
		const named = tagSets.map((tagSet) => tagsOfKeys(keys, tagSet)).map((telling) => [tagSetText(telling), telling] as const);
		return new Map(named.sort(([a], [b]) => compareNames(a, b)));
	}, [tagSets]);
	const chosen = tagSets.filter((tagSet) => choosesTagSet(tagsOf(tags), tagSet)).length;
	const some = chosen === 0 ? text.noSource : text.chosen(chosen, tagSets.length);
	return (
		<>
			<Field label={text.source} hint={chosen === tagSets.length ? text.chooseOne(tagSets.length) : some}>
				{(ties) => (
					<TextInput
						{...ties}
						list={list}
						value={typed.value}
						spellcheck={false}
						onText={(words) => {
							const telling = sources.get(words);
							typed.value = telling === undefined ? words : '';
							if (telling !== undefined) onChange(tagDraftsOf(telling));
						}}
					/>
				)}
			</Field>
			<Choices id={list} values={[...sources.keys()]} />
		</>
	);
}

interface TagRowProps {
	readonly tag: TagDraft;
	readonly error: string | undefined;
	/** False for the empty row of a query without tags. */
	readonly canRemove: boolean;
	/** The tag sets that the other rows choose. */
	readonly candidates: readonly Tags[];
	readonly onChange: (tag: TagDraft) => void;
	readonly onRemove: () => void;
}

/** A tag: its key, its value and the button that removes it. */
function TagRow({ tag, error, canRemove, candidates, onChange, onRemove }: TagRowProps) {
	const text = tagsText();
	const list = useId();
	const name = tag.key === '' ? text.newTag : tag.key;
	const keys = new Set(candidates.flatMap((tagSet) => Object.keys(tagSet)));
	const values = new Set(candidates.map((tagSet) => tagIn(tagSet, tag.key)).filter((value) => value !== ''));
	return (
		<fieldset class="tag-row" aria-label={name}>
			<Field label={text.tag} error={error}>
				{(ties) => (
					<TextInput
						{...ties}
						value={tag.key}
						list={`${list}-keys`}
						spellcheck={false}
						onText={(key) => onChange({ ...tag, key })}
					/>
				)}
			</Field>
			<Field label={text.value}>
				{(ties) => (
					<TextInput
						{...ties}
						value={tag.value}
						list={`${list}-values`}
						spellcheck={false}
						onText={(value) => onChange({ ...tag, value })}
					/>
				)}
			</Field>
			<Button small icon="i-x" aria-label={commonText().remove(name)} disabled={!canRemove} onClick={onRemove} />
			<Choices id={`${list}-keys`} values={[...keys]} />
			<Choices id={`${list}-values`} values={[...values]} />
		</fieldset>
	);
}

/** The most choices that a list of a field has. */
const mostChoices = 500;

function Choices({ id, values }: { readonly id: string; readonly values: readonly string[] }) {
	return (
		<datalist id={id}>
			{values.slice(0, mostChoices).map((value) => (
				<option key={value} value={value} />
			))}
		</datalist>
	);
}
