interface KeyHintsProps {
	/** Keys, each with what it does. */
	readonly keys: readonly (readonly string[])[];
	/** A sentence behind the keys. */
	readonly note?: string;
	/** Screen readers pass over the hints: the keys are in Help. */
	readonly isDecoration?: boolean;
}

/** Hints about keys, below what they act on. */
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
