import { activeShortcuts } from '#page/core/shortcuts.ts';
import { commonText } from '#page/i18n/common.ts';
import { Dialog } from '#page/parts/dialog.tsx';
import { shellText } from './texts.ts';

/** The list of the keys that act on what is on the screen. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
	const text = shellText();
	const general = [
		{ key: '← ↑ → ↓', label: text.keyLabels.arrows },
		{ key: 'Enter', label: text.keyLabels.enter },
		{ key: 'Esc', label: text.keyLabels.escape },
	];
	return (
		<Dialog title={text.keys} onClose={onClose} closeLabel={commonText().close}>
			<dl class="facts keys">
				{[...activeShortcuts(), ...general].map(({ key, label }) => (
					<div key={key}>
						<dt>
							<kbd>{key}</kbd>
						</dt>
						<dd>{label}</dd>
					</div>
				))}
			</dl>
		</Dialog>
	);
}
