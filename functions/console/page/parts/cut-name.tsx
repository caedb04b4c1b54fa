/** Number of letters at the end of a name that are shown wherever the name is cut. */
const endLength = 12;

/**
 * A name in one line. Names of a hierarchy differ at their ends, so a long one is cut in the middle where it has too little room. The whole
 * of it is shown on hover, on the focus of its link, and to screen readers.
 */
export function CutName({ name }: { readonly name: string }) {
	const letters = [...name];
	if (letters.length < 2 * endLength)
		return (
			<span class="name" title={name}>
				{name}
			</span>
		);
	return (
		<span class="name" title={name} dir="auto">
			<span class="sr">{name}</span>
			<span
				class="cut"
				aria-hidden="true"
				data-start={letters.slice(0, -endLength).join('')}
				data-end={letters.slice(-endLength).join('')}
			/>
		</span>
	);
}
