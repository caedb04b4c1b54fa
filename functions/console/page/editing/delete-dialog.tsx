import type { ComponentChildren } from 'preact';
import type { Result } from '#page/core/api.ts';
import { useRequest } from '#page/core/use-request.ts';
import { commonText } from '#page/i18n/common.ts';
import { messages } from '#page/i18n/i18n.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';

/** The status of a refusal because somebody else has saved the item meanwhile. */
const changedStatus = 412;

interface DeleteDialogProps {
	/** The name of the item to delete. */
	readonly name: string;
	/** Whether the dialog shows everything that the person must know before deleting. The button is disabled until then. */
	readonly isReady?: boolean;
	/** Deletes the version that the person has seen. */
	readonly remove: () => Promise<Result<unknown>>;
	readonly onDeleted: () => void;
	/** Called when somebody else saved the item meanwhile, so that the newest version can be shown. */
	readonly onChanged?: () => void;
	readonly onClose: () => void;
	/** Says what is lost when the item is deleted. */
	readonly children: ComponentChildren;
}

/** Asks whether to delete an item, and deletes it. */
export function DeleteDialog({ name, isReady = true, remove, onDeleted, onChanged, onClose, children }: DeleteDialogProps) {
	const text = deleteText();
	const { send, failure, isRunning } = useRequest(remove, onDeleted, ({ status }) => {
		if (status === changedStatus) onChanged?.();
	});
	return (
		<Dialog title={text.title(name)} onClose={onClose} closeLabel={commonText().close} small>
			{children}
			{failure?.status === changedStatus && (
				<Banner look="error" icon="q-bad">
					{text.changed}
				</Banner>
			)}
			{failure !== null && failure.status !== changedStatus && <Problems failure={failure} fallback={text.notDeleted} />}
			<div class="dialog-foot">
				<Button onClick={onClose}>{commonText().cancel}</Button>
				{/* `aria-disabled` keeps the focus on the button while it does nothing. */}
				<WriteButton look="primary" aria-disabled={isRunning || !isReady} onClick={() => isReady && void send()}>
					{commonText().delete}
				</WriteButton>
			</div>
		</Dialog>
	);
}

const deleteText = messages({
	en: {
		title: (name: string) => `Delete ${name}?`,
		changed: 'Somebody else saved it meanwhile: look at it, then delete.',
		notDeleted: 'Not deleted.',
	},
	es: {
		title: (name: string) => `¿Borrar ${name}?`,
		changed: 'Otra persona ha guardado cambios entretanto: revíselos y después borre.',
		notDeleted: 'No se ha borrado.',
	},
});
