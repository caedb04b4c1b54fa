import type { FieldDifference } from '#page/core/draft-fields.ts';
import type { VersionComparison } from '#page/core/item-versions.ts';
import { DifferenceText } from '#page/parts/difference-text.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { textDifference } from '#page/parts/text-difference.ts';
import { changeText } from './change-texts.ts';

interface VersionTableProps {
	readonly comparison: VersionComparison;
	/** The heads of the two versions; null where one of them is missing. */
	readonly heads: readonly [string | null, string | null];
}

/** Shows two versions field by field, with their differences marked. Shows a single version without marks. */
export function VersionTable({ comparison: { differences, same }, heads }: VersionTableProps) {
	const text = changeText();
	// The second version is `mine` in a comparison.
	const sides = heads.flatMap((head, side) => (head === null ? [] : [{ head, isMine: side === 1 }]));
	return (
		<>
			{differences.length > 0 && (
				<div class="table-box">
					<table class="conflict">
						<thead>
							<tr>
								{[text.heads.field, ...sides.map(({ head }) => head)].map((head) => (
									<th key={head} scope="col">
										{head}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{differences.map((difference) => (
								<DifferenceRow key={difference.key} difference={difference} sides={sides} />
							))}
						</tbody>
					</table>
				</div>
			)}
			{same.length > 0 && (
				<details>
					<summary class="muted">{text.sameFields(same.length)}</summary>
					<dl class="facts">
						{same.map(({ key, label, mine }) => (
							<Fact key={key} term={label}>
								{mine === '' ? text.nothing : mine}
							</Fact>
						))}
					</dl>
				</details>
			)}
		</>
	);
}

interface DifferenceRowProps {
	readonly difference: FieldDifference;
	/** The versions that are shown, with their heads. */
	readonly sides: readonly { readonly head: string; readonly isMine: boolean }[];
}

/** A field in which the versions differ: its text in each. */
function DifferenceRow({ difference: { label, isCode, theirs, mine }, sides }: DifferenceRowProps) {
	const { a, b } = textDifference(theirs, mine);
	return (
		<tr>
			<th scope="row">{label}</th>
			{sides.map(({ head, isMine }) => (
				<td key={head} class={isCode ? 'mono' : undefined}>
					{/* Of a single version, the text of the missing one is empty. */}
					{sides.length === 1 ? (
						`${theirs}${mine}`
					) : (
						<DifferenceText parts={isMine ? b : a} isMine={isMine} nothing={changeText().nothing} />
					)}
				</td>
			))}
		</tr>
	);
}
