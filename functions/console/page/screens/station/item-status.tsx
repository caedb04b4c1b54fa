import { now } from '#page/core/clock.ts';
import { variables } from '#page/core/definitions.ts';
import { showsOutdated } from '#page/core/poll.ts';
import { noNumber } from '#page/format/number.ts';
import { formatAge } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';
import { stateWords } from '#page/i18n/state-words.ts';
import { classNames } from '#page/parts/class-names.ts';
import type { ShapeKind } from '#page/parts/state-shape.tsx';
import { QualityMark } from '#page/parts/value-text.tsx';
import type { ItemView } from './item-view.ts';
import { stationText } from './texts.ts';

/** Properties of ItemWord and ItemReason. */
export interface ItemStatusProps {
	readonly kind: ShapeKind;
	readonly view: ItemView;
}

/** The word of a state: two dashes until the state was read, and `Unknown` if it is not known. The word is grey if only an old state is known. */
export function ItemWord({ kind, view }: ItemStatusProps) {
	if (view.shown === null) return <span class="word old">{noNumber}</span>;
	const isCurrent = view.on !== null && !showsOutdated.value;
	return (
		<b class={classNames('word', view.last === null ? 'unknown' : !isCurrent && 'old')}>
			{wordOf(kind, view.last) ?? stateWords().unknown}
			{showsOutdated.value && <span class="sr">, {commonText().outdated}</span>}
		</b>
	);
}

/** Why a state is not known now. */
export function ItemReason({ view: { shown }, varId }: Pick<ItemStatusProps, 'view'> & { readonly varId: number }) {
	const text = stationText();
	if (shown === null || shown.quality === 'good') return null;
	const age = shown.at === null ? null : formatAge(now.value - shown.at);
	const { reason } = shown;
	const ownName = variables.rows.value?.get(varId)?.name ?? null;
	const reasonWords = reason === null ? null : reasonText(reason, { ownName, age });
	const why = shown.quality === 'missing_reference' ? text.missing(varId) : reasonWords;
	return (
		<p class="reason">
			<QualityMark quality={shown.quality} word={qualityWords()[shown.quality]} />
			{why !== null && ` · ${why}`}
		</p>
	);
}

/** Returns the word of a state; null where it is not known. */
export function wordOf(kind: ShapeKind, on: boolean | null): string | null {
	const words = stateWords()[kind];
	return on === null ? null : words[on ? 'on' : 'off'];
}
