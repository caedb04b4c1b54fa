import type { ComparedField, VersionComparison } from '#page/core/item-versions.ts';
import { DifferenceText } from '#page/parts/difference-text.tsx';
import { Fact } from '#page/parts/fact.tsx';
import { textDifference } from '#page/parts/text-difference.ts';
import { changeText } from './change-texts.ts';

interface VersionTableProps {
	readonly comparison: VersionComparison;
	/** The heads of both versions; null: there is no such version. */
	readonly heads: Readonly<Record<Side, string | null>>;
}

type Side = 'before' | 'after';

/** A version in the table. */
interface ComparedVersion {
	readonly side: Side;
	readonly head: string;
}

/** Shows two versions field by field, with their differences marked. Shows a single version without marks. */
export function VersionTable({ comparison: { differences, same }, heads }: VersionTableProps) {
	const text = changeText();
	const columns = (['before', 'after'] as const).flatMap((side): readonly ComparedVersion[] => {
		const head = heads[side];
		return head === null ? [] : [{ side, head }];
	});
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
						{same.map(({ key, label, after }) => (
							<Fact key={key} term={label}>
								{after === '' ? text.nothing : after}
							</Fact>
						))}
					</dl>
				</details>
			)}
		</>
	);
}

interface DifferenceRowProps {
	readonly difference: ComparedField;
	readonly columns: readonly ComparedVersion[];
}

/** A field in which the versions differ: its text in each, with marks if there are two. */
function DifferenceRow({ difference, columns }: DifferenceRowProps) {
	const parts = textDifference(difference.before, difference.after);
	return (
		<tr>
			<th scope="row">{difference.label}</th>
			{columns.map(({ side, head }) => (
				<td key={head} class={difference.isCode ? 'mono' : undefined}>
					{columns.length === 1 ? (
						difference[side]
					) : (
						<DifferenceText
							parts={parts[side]}
							marks={side === 'after' ? 'inserted' : 'deleted'}
							nothing={changeText().nothing}
						/>
					)}
				</td>
			))}
		</tr>
	);
}
