interface KeyHintsProps {
	/** Pairs of a key and the words for its act. */
	readonly keys: readonly (readonly string[])[];
	/** A sentence after the keys. */
	readonly note?: string;
	/** Whether the hints are hidden from screen readers. The dialog Help lists the keys for everybody. */
	readonly isDecoration?: boolean;
}

/** Shows hints about keys, below the part of the page that they act on. */
export function KeyHints({ keys, note, isDecoration = false }: KeyHintsProps) {
	return (
		<p class="key-hints" aria-hidden={isDecoration || undefined}>
			{keys.map(([key, words]) => (
				<span key={key}>
					<b>{key}</b> {words}
				</span>
			))}
			{note !== undefined && <span>{note}</span>}
		</p>
	);
}
