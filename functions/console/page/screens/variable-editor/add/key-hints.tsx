interface KeyHintsProps {
	readonly keys: readonly (readonly string[])[];
	/** A sentence behind the keys. */
	readonly note?: string;
}

/** The keys of a table, below it. */
export function KeyHints({ keys, note }: KeyHintsProps) {
	return (
		<p class="key-hints">
			{keys.map(([key, does]) => (
				<span key={key}>
					<kbd>{key}</kbd> {does}
				</span>
			))}
			{note !== undefined && <span>{note}</span>}
		</p>
	);
}
