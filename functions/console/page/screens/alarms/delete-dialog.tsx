import { useSignal } from '@preact/signals';
import { deletions } from '#page/core/acts.ts';
import { type ListedAlarm, readAlarms } from '#page/core/alarms.ts';
import { api, type Failure, resultOf } from '#page/core/api.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { WriteButton } from '#page/parts/write-button.tsx';
import { alarmText } from './texts.ts';

/** Properties of DeleteDialog. */
export interface AlarmDeletionProps {
	readonly alarm: ListedAlarm;
	readonly onDeleted: () => void;
	readonly onClose: () => void;
}

/** Asks whether an alarm is to be deleted. It deletes only the version that is shown. */
export function DeleteDialog({ alarm, onDeleted, onClose }: AlarmDeletionProps) {
	const text = alarmText();
	const failure = useSignal<Failure | null>(null);
	const isRunning = useSignal(false);
	const remove = async (): Promise<void> => {
		if (isRunning.value) return;
		isRunning.value = true;
		const path = { id: alarm.id };
		const result = await deletions.send(['alarm', path.id], alarm.version, (header) =>
			resultOf(api.POST('/deleteAlarm/{id}', { params: { path, header } })),
		);
		isRunning.value = false;
		if (result.ok) {
			await readAlarms();
			onDeleted();
			return;
		}
		failure.value = result.failure;
		// The newest version is shown, so that whoever deletes it has seen it.
		if (result.failure.status === 412) void readAlarms();
	};
	return (
		<Dialog title={commonText().deleteTitle(alarm.name)} onClose={onClose} closeLabel={commonText().close} small>
			<p class="dialog-text">{text.deleteText}</p>
			{failure.value !== null &&
				(failure.value.status === 412 ? (
					<Banner look="error" icon="q-bad">
						{text.deleteChanged}
					</Banner>
				) : (
					<Problems failure={failure.value} fallback={text.notDeleted} />
				))}
			<div class="dialog-foot">
				<Button onClick={onClose}>{commonText().cancel}</Button>
				<WriteButton look="primary" aria-disabled={isRunning.value} onClick={() => void remove()}>
					{commonText().delete}
				</WriteButton>
			</div>
		</Dialog>
	);
}
