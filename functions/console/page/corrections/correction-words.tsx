import type { StoredCorrection } from '#page/core/definitions.ts';
import { formatExact } from '#page/format/number.ts';
import { formatDateTime } from '#page/format/time.ts';
import { actorWords } from '#page/i18n/actor-words.ts';
import { correctionDraftOf } from './correction-draft.ts';
import { correctionText } from './correction-texts.ts';

/** Describes a correction in words, with its author. */
export function CorrectionWords({ correction }: { readonly correction: StoredCorrection }) {
	const text = correctionText();
	const draft = correctionDraftOf(correction);
	if (draft === null) return <span>{correction.reason}</span>;
	// Which of the times and numbers a correction has depends on its type.
	const { type, from, to, at, value, oldFinal, newInitial, reason } = draft;
	const isSpan = from !== undefined && to !== undefined;
	const isExchange = oldFinal !== undefined && newInitial !== undefined;
	const valueWords = value === undefined ? '' : formatExact(value);
	// A correction without a span is the exchange of a meter, which always has `at`.
	const when = isSpan ? text.span(formatDateTime(from), formatDateTime(to)) : formatDateTime(at ?? 0);
	const what = isExchange ? text.exchanged(formatExact(oldFinal), formatExact(newInitial)) : valueWords;
	// The service sets the author and the time of every correction that it stores.
	return (
		<span>
			<b>{text.types[type]}</b> {when} {what}
			<br />
			{reason}{' '}
			<span class="muted">{text.by(actorWords(correction.actors?.author ?? null), formatDateTime(Number(correction.time)))}</span>
		</span>
	);
}
