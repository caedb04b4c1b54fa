import { canWrite } from '#page/core/poll.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from './button.tsx';

/** The button that opens the dialog of a deletion. It is disabled while nothing can be stored or deleted. */
export function DeleteButton({ onClick }: { readonly onClick: () => void }) {
	return (
		<Button disabled={!canWrite.value.ok} onClick={onClick}>
			{commonText().askDelete}
		</Button>
	);
}
