import type { VersionComparison } from '#page/core/item-versions.ts';
import { DifferenceText } from '#page/parts/difference-text.tsx';
import { textDifference } from '#page/parts/text-difference.ts';
import { changeText } from './change-texts.ts';

interface VersionTableProps {
	readonly comparison: VersionComparison;
	/** The heads of the two versions. */
	readonly heads: readonly [string, string];
}

/** Two versions field by field, with their differences marked. */
export function VersionTable({ comparison: { differences, sameCount }, heads }: VersionTableProps) {
	const text = changeText();
	return (
		<>
			{differences.length > 0 && (
				<div class="table-box">
					<table class="conflict">
						<thead>
							<tr>
								{[text.heads.field, ...heads].map((head) => (
									<th key={head} scope="col">
										{head}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{differences.map(({ key, label, isCode, theirs, mine }) => {
								const { a, b } = textDifference(theirs, mine);
								return (
									<tr key={key}>
										<th scope="row">{label}</th>
										{[a, b].map((parts, side) => (
											<td key={heads[side]} class={isCode ? 'mono' : undefined}>
												<DifferenceText parts={parts} isMine={side === 1} nothing={text.nothing} />
											</td>
										))}
									</tr>
								);
							})}
						</tbody>
					</table>
				</div>
			)}
			{sameCount > 0 && <p class="muted">{text.sameFields(sameCount)}</p>}
		</>
	);
}
