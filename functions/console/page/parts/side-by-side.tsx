/** One version of something that two people changed, as lines of text. */
export interface SideVersion {
	readonly head: string;
	readonly lines: readonly string[];
}

/** Two versions beside one another. Lines that the other one does not have are bold and underlined. */
export function SideBySide({ theirs, mine }: { readonly theirs: SideVersion; readonly mine: SideVersion }) {
	return (
		<div class="sides">
			<Side version={theirs} other={mine} />
			<Side version={mine} other={theirs} />
		</div>
	);
}

function Side({ version: { head, lines }, other }: { readonly version: SideVersion; readonly other: SideVersion }) {
	return (
		<section aria-label={head}>
			<h3>{head}</h3>
			<ul>
				{lines.map((line) => (
					<li key={line}>{other.lines.includes(line) ? line : <ins>{line}</ins>}</li>
				))}
			</ul>
		</section>
	);
}
