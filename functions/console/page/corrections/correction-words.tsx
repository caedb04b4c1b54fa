import type { StoredCorrection } from '#page/core/definitions.ts';
import { formatExact } from '#page/format/number.ts';
import { formatDateTime } from '#page/format/time.ts';
import { correctionDraftOf } from './correction-draft.ts';
import { correctionText } from './correction-texts.ts';

/** Describes a correction in words, with its author. */
export function CorrectionWords({ correction }: { readonly correction: StoredCorrection }) {
	const text = correctionText();
	const draft = correctionDraftOf(correction);
	if (draft === null) return <span>{correction.reason}</span>;
	// Which of the times and numbers a correction has depends on its type.
	const { type, from, to, at, value, oldFinal, newInitial, reason } = draft;
	const when =
		from === undefined || to === undefined ? formatDateTime(at ?? 0) : text.span(formatDateTime(from), formatDateTime(to));
	const what =
		oldFinal !== undefined && newInitial !== undefined
			? text.exchanged(formatExact(oldFinal), formatExact(newInitial))
			: value === undefined
				? ''
				: formatExact(value);
	return (
		<span>
			<b>{text.types[type]}</b> {when} {what}
			<br />
			{reason} <span class="muted">{text.by(correction.author ?? '', formatDateTime(Number(correction.time)))}</span>
		</span>
	);
}
