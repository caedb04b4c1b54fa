import { shownOf } from '#page/core/shown.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import type { BitDraft } from '../draft.ts';
import type { CheckedRow } from './checked-rows.ts';
import { describeText } from './describe-texts.ts';

const BitInputs = lazyScreen(async () => (await import('../bit-inputs.tsx')).BitInputs);

interface BitsDialogProps {
	readonly checked: CheckedRow;
	readonly onChange: (bits: readonly BitDraft[]) => void;
	readonly onClose: () => void;
}

/** Names the bits of a byte that is added. */
export function BitsDialog({ checked, onChange, onClose }: BitsDialogProps) {
	const { row, draft, trial } = checked;
	const { answer } = trial.state.value;
	return (
		<Dialog title={describeText().bitsOf(draft.name)} onClose={onClose} closeLabel={commonText().close}>
			<BitInputs
				bits={row.bits}
				// The variable is not stored yet.
				stored={[]}
				value={answer === null ? null : shownOf(answer.reading).value}
				// The grid shows the problems of the bits, in the column of the kind.
				problems={new Map()}
				onChange={onChange}
			/>
			<div class="actions">
				<Button look="primary" onClick={onClose}>
					{describeText().done}
				</Button>
			</div>
		</Dialog>
	);
}
