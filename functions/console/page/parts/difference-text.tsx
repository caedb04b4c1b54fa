import type { TextPart } from './text-difference.ts';

interface DifferenceTextProps {
	readonly parts: readonly TextPart[];
	/** How its differences are marked: as insertions in the newer version or the person's own, as deletions in the other one. */
	readonly marks: 'inserted' | 'deleted';
	/** The words that are shown for an empty text. */
	readonly nothing: string;
}

/** A text with its differences marked. */
export function DifferenceText({ parts, marks, nothing }: DifferenceTextProps) {
	if (parts.length === 0) return <span class="muted">{nothing}</span>;
	return (
		<>
			{parts.map(({ text, changed }, index) => {
				if (!changed) return text;
				// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
				return marks === 'inserted' ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>;
			})}
		</>
	);
}
