import type { Signal } from '@preact/signals';
import { canWrite } from '#page/core/poll.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';

/** The dialog of a deletion. It is loaded with the first one. */
export const DeleteDialog = lazyScreen(async () => (await import('./delete-dialog.tsx')).DeleteDialog);

/** The button that opens the dialog of a deletion, by setting `isDeleting`. It is disabled while nothing can be stored or deleted. */
export function DeleteButton({ isDeleting }: { readonly isDeleting: Signal<boolean> }) {
	return (
		<Button
			disabled={!canWrite.value.ok}
			onClick={() => {
				isDeleting.value = true;
			}}
		>
			{commonText().askDelete}
		</Button>
	);
}
