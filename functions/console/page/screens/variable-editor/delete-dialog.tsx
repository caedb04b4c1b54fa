import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '#page/core/api.ts';
import { type Variable, variables } from '#page/core/definitions.ts';
import { listNotice } from '#page/core/list-notice.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { problemText } from '#page/i18n/i18n.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { deleteText, editorText } from './editor-texts.ts';
import { UseList } from './uses-panel.tsx';
import { deleteVariable, readUses, type VariableUse } from './variable-requests.ts';

/** Properties of DeleteDialog: the variable as the person has seen it. */
export interface VariableDeletionProps {
	readonly variable: Pick<Variable, 'id' | 'version' | 'name'>;
	/** Called when it is deleted. */
	readonly onDeleted: () => void;
	readonly onClose: () => void;
}

/** Deletes a variable, after its uses were shown. */
export function DeleteDialog({ variable: { id, version, name }, onDeleted, onClose }: VariableDeletionProps) {
	const text = deleteText();
	const uses = useSignal<readonly VariableUse[] | null>(null);
	const failure = useSignal<Failure | null>(null);
	const isBusy = useSignal(false);
	useEffect(() => {
		void readUses(id).then((result) => {
			if (result.ok) uses.value = result.data;
			else failure.value = result.failure;
		});
	}, []);
	const run = async (): Promise<void> => {
		isBusy.value = true;
		const result = await deleteVariable(id, version);
		isBusy.value = false;
		if (!result.ok) {
			failure.value = result.failure;
			return;
		}
		onDeleted();
		listNotice.value = text.deleted(name);
		void variables.load();
		goTo(hrefOf('variables'), { replace: true });
	};
	const known = uses.value;
	return (
		<Dialog title={commonText().deleteTitle(name)} onClose={onClose} small>
			{failure.value !== null && (
				<Banner look="error" icon="q-bad">
					{failureText(failure.value, known === null)}
				</Banner>
			)}
			{known === null && failure.value === null && <p class="muted">{commonText().reading}</p>}
			{known !== null && known.length === 0 && <p class="dialog-text">{text.deleteFree}</p>}
			{known !== null && known.length > 0 && (
				<>
					<p class="dialog-text">{text.deleteUsed}</p>
					<UseList uses={known} />
					<p class="dialog-text">{text.deleteBoards}</p>
					<p class="dialog-text">{text.deleteFinal}</p>
				</>
			)}
			<div class="dialog-foot">
				<Button onClick={onClose}>{text.keep}</Button>
				<WriteButton look="primary" disabled={known === null || isBusy.value} onClick={() => void run()}>
					{commonText().delete}
				</WriteButton>
			</div>
		</Dialog>
	);
}

function failureText({ kind, status, errors }: Failure, isReading: boolean): string {
	if (kind === 'unreachable') return editorText().unreachable;
	if (status === 412) return deleteText().changedMeanwhile;
	const [said] = Object.values(errors).map((error) => problemText(error).text);
	return said ?? (isReading ? deleteText().usagesUnknown : editorText().notSaved);
}
