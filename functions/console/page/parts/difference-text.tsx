import type { TextPart } from './text-difference.ts';

interface DifferenceTextProps {
	readonly parts: readonly TextPart[];
	/** Whether the text is the newer version, or the person's own. Its differences are marked as insertions, those of the other text as deletions. */
	readonly isMine: boolean;
	/** The words that are shown for an empty text. */
	readonly nothing: string;
}

/** A text with its differences marked. */
export function DifferenceText({ parts, isMine, nothing }: DifferenceTextProps) {
	if (parts.length === 0) return <span class="muted">{nothing}</span>;
	return (
		<>
			{parts.map(({ text, changed }, index) => {
				if (!changed) return text;
				// biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name.
				return isMine ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>;
			})}
		</>
	);
}
