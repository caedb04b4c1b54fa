import type { FieldDifference } from '#page/core/draft-fields.ts';
import type { VersionComparison } from '#page/core/item-versions.ts';
import { DifferenceText } from '#page/parts/difference-text.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { textDifference } from '#page/parts/text-difference.ts';
import { changeText } from './change-texts.ts';

interface VersionTableProps {
	readonly comparison: VersionComparison;
	/** The heads of the earlier and the later version; null: there is no such version. */
	readonly heads: readonly [string | null, string | null];
}

/** A version in the table. A comparison calls the texts of the earlier one `theirs`, and those of the later one `mine`. */
interface ComparedVersion {
	readonly side: 'theirs' | 'mine';
	readonly head: string;
}

/** Shows two versions field by field, with their differences marked. Shows a single version without marks. */
export function VersionTable({ comparison: { differences, same }, heads: [earlier, later] }: VersionTableProps) {
	const text = changeText();
	const columns: readonly ComparedVersion[] = [
		...(earlier === null ? [] : [{ side: 'theirs' as const, head: earlier }]),
		...(later === null ? [] : [{ side: 'mine' as const, head: later }]),
	];
	return (
		<>
			{differences.length > 0 && (
				<div class="table-box">
					<table class="conflict">
						<thead>
							<tr>
								{[text.heads.field, ...columns.map(({ head }) => head)].map((head) => (
									<th key={head} scope="col">
										{head}
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{differences.map((difference) => (
								<DifferenceRow key={difference.key} difference={difference} columns={columns} />
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
	readonly columns: readonly ComparedVersion[];
}

/** A field in which the versions differ: its text in each, with marks if there are two. */
function DifferenceRow({ difference, columns }: DifferenceRowProps) {
	const { a: theirs, b: mine } = textDifference(difference.theirs, difference.mine);
	const parts = { theirs, mine };
	return (
		<tr>
			<th scope="row">{difference.label}</th>
			{columns.map(({ side, head }) => (
				<td key={head} class={difference.isCode ? 'mono' : undefined}>
					{columns.length === 1 ? (
						difference[side]
					) : (
						<DifferenceText parts={parts[side]} isMine={side === 'mine'} nothing={changeText().nothing} />
					)}
				</td>
			))}
		</tr>
	);
}
