import { useSignal } from '@preact/signals';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Segmented } from '#page/parts/segmented.tsx';
import type { Paper } from './print-sheet.tsx';
import { reportScreenText } from './texts.ts';

interface PrintDialogProps {
	readonly paper: Paper;
	readonly onPrint: (paper: Paper) => void;
	readonly onClose: () => void;
}

/** Asks for portrait or landscape. */
export function PrintDialog({ paper, onPrint, onClose }: PrintDialogProps) {
	const text = reportScreenText();
	const chosen = useSignal(paper);
	return (
		<Dialog title={commonText().print} onClose={onClose} closeLabel={commonText().close} small>
			<Segmented
				label={text.printHow}
				value={chosen.value}
				choices={(['portrait', 'landscape'] as const).map((value) => ({ value, label: text.paper[value] }))}
				onChoose={(value) => {
					chosen.value = value;
				}}
			/>
			<p class="muted">{text.paperHint[chosen.value]}</p>
			<div class="dialog-foot">
				<Button look="primary" onClick={() => onPrint(chosen.value)}>
					{commonText().print}
				</Button>
			</div>
		</Dialog>
	);
}
