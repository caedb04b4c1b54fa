import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Result } from '#page/core/api.ts';
import type { StoredCorrection } from '#page/core/definitions.ts';
import { deleteStored } from '#page/core/deletions.ts';
import { DeleteDialog } from '#page/editing/deletion.tsx';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { ForRole } from '#page/parts/for-role.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { CorrectionDialog } from './correction-dialog.tsx';
import { readCorrections } from './correction-draft.ts';
import { correctionText } from './correction-texts.ts';
import { CorrectionWords } from './correction-words.tsx';

interface CorrectionListProps {
	readonly varId: number;
	readonly name: string;
	readonly unit: string;
}

/** The corrections of a variable, newest first, with a form for a new one. */
export function CorrectionList({ varId, name, unit }: CorrectionListProps) {
	const text = correctionText();
	const result = useSignal<Result<readonly StoredCorrection[]> | null>(null);
	/** The open dialog: the form of a new correction, or the question whether to delete the correction with this id; null without one. */
	const dialog = useSignal<number | 'new' | null>(null);
	const load = async (): Promise<void> => {
		const answer = await readCorrections(varId);
		result.value = answer.ok ? { ...answer, data: answer.data.data.toReversed() } : answer;
	};
	const close = (): void => {
		dialog.value = null;
	};
	const closeAndLoad = (): void => {
		close();
		void load();
	};
	useEffect(() => void load(), [varId]);
	if (result.value === null) return null;
	// The list is read again after a conflict, so the question is about the newest version.
	const toDelete = result.value.ok ? result.value.data.find(({ id }) => id === dialog.value) : undefined;
	return (
		<section class="panel" aria-label={text.list}>
			<div class="line">
				<h2>{text.list}</h2>
				<ForRole needs="engineer">
					<Button
						small
						icon="i-plus"
						aria-label={text.title(name)}
						onClick={() => {
							dialog.value = 'new';
						}}
					/>
				</ForRole>
			</div>
			{!result.value.ok && <Problems failure={result.value.failure} fallback={text.unread} />}
			{result.value.ok && result.value.data.length === 0 && <p class="muted">{text.none}</p>}
			{result.value.ok && (
				<ul class="uses">
					{result.value.data.map((correction) => (
						<li key={correction.id} class="line">
							<CorrectionWords correction={correction} />
							<ForRole needs="engineer">
								<Button
									small
									look="quiet"
									icon="i-x"
									aria-label={commonText().remove(correction.reason)}
									onClick={() => {
										dialog.value = correction.id;
									}}
								/>
							</ForRole>
						</li>
					))}
				</ul>
			)}
			{dialog.value === 'new' && (
				<CorrectionDialog begin={{ varId }} name={name} unit={unit} line={null} onSaved={closeAndLoad} onClose={close} />
			)}
			{toDelete !== undefined && (
				<DeleteCorrection correction={toDelete} onDeleted={closeAndLoad} onChanged={() => void load()} onClose={close} />
			)}
		</section>
	);
}

interface DeleteCorrectionProps {
	readonly correction: StoredCorrection;
	readonly onDeleted: () => void;
	/** Called when somebody else has changed it meanwhile. */
	readonly onChanged: () => void;
	readonly onClose: () => void;
}

/** Asks whether to delete a correction. */
function DeleteCorrection({ correction, onDeleted, onChanged, onClose }: DeleteCorrectionProps) {
	return (
		<DeleteDialog
			name={correction.reason}
			remove={() => deleteStored('/deleteCorrection/{id}', correction)}
			onDeleted={onDeleted}
			onChanged={onChanged}
			onClose={onClose}
		>
			<p class="dialog-text">{correctionText().deleteText}</p>
		</DeleteDialog>
	);
}
