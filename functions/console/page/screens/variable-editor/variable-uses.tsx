import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Result } from '#page/core/api.ts';
import { deleteStored } from '#page/core/deletions.ts';
import { DeleteDialog } from '#page/editing/deletion.tsx';
import { itemKinds } from '#page/editing/item-kinds.ts';
import { commonText } from '#page/i18n/common.ts';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { deleteText, editorText } from './editor-texts.ts';
import { readUses, type VariableUse } from './variable-requests.ts';

/** Lists the boards, such as charts and alarms, that refer to a variable. */
export function UsesPanel({ id }: { readonly id: number }) {
	const text = editorText();
	const uses = useUses(id).value;
	if (uses?.ok !== true) return null;
	return (
		<section class="panel" aria-label={commonText().usedBy}>
			<h2>{commonText().usedBy}</h2>
			{uses.data.length === 0 ? <p class="muted">{text.unusedVariable}</p> : <UseList uses={uses.data} />}
		</section>
	);
}

/** Properties of DeleteVariable: the variable as the person has seen it. */
export interface DeleteVariableProps {
	readonly variable: { readonly id: number; readonly version: number; readonly name: string };
	readonly onDeleted: () => void;
	readonly onClose: () => void;
}

/** Asks whether to delete a variable. It lists the uses of the variable before the deletion. */
export function DeleteVariable({ variable, onDeleted, onClose }: DeleteVariableProps) {
	const text = deleteText();
	const uses = useUses(variable.id).value;
	return (
		<DeleteDialog
			name={variable.name}
			isReady={uses?.ok === true}
			remove={() => deleteStored('/deleteVar/{id}', variable)}
			onDeleted={onDeleted}
			onClose={onClose}
		>
			{uses === null && <p class="muted">{commonText().reading}</p>}
			{uses?.ok === false && <Problems failure={uses.failure} fallback={text.usagesUnknown} />}
			{uses?.ok === true && (
				<>
					<p class="dialog-text">{uses.data.length === 0 ? editorText().unusedVariable : text.deleteUsed}</p>
					{uses.data.length > 0 && (
						<>
							<UseList uses={uses.data} />
							<p class="dialog-text">{text.deleteBoards}</p>
						</>
					)}
					<p class="dialog-text">{text.restorable}</p>
				</>
			)}
		</DeleteDialog>
	);
}

/** Reads the uses of a variable; null until they were read. */
function useUses(id: number): ReadonlySignal<Result<readonly VariableUse[]> | null> {
	const uses = useSignal<Result<readonly VariableUse[]> | null>(null);
	useEffect(() => {
		void readUses(id).then((result) => {
			uses.value = result;
		});
	}, [id]);
	return uses;
}

/** A list of uses of a variable, with their kinds in words. */
function UseList({ uses }: { readonly uses: readonly VariableUse[] }) {
	const { kinds } = commonText();
	return (
		<ul class="uses">
			{uses.map(({ kind, id, name }) => (
				<li key={`${kind} ${id}`}>
					<Icon name={itemKinds[kind].icon} /> {name} <span class="muted">{kinds[kind]}</span>
				</li>
			))}
		</ul>
	);
}
