import { useSignal } from '@preact/signals';
import { markedStateOf } from '#page/core/alarm-state.ts';
import type { ListedAlarm } from '#page/core/alarms.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { acknowledgeSeen, lastAct } from './alarm-acts.ts';
import { CommentField } from './comment-field.tsx';
import { alarmText } from './texts.ts';

/** Properties of AcknowledgeDialog. `alarms` are those that were on the screen when it opened. */
export interface AcknowledgeDialogProps {
	readonly alarms: readonly ListedAlarm[];
	readonly onClose: () => void;
}

/** Acknowledges several alarms at once: it names each with the occurrence that was seen, and takes one comment for all. */
export function AcknowledgeDialog({ alarms, onClose }: AcknowledgeDialogProps) {
	const text = alarmText();
	// A later occurrence has not been seen, so it is not acknowledged here.
	const seen = useSignal(alarms).value;
	const comment = useSignal('');
	const isRunning = useSignal(false);
	const send = async (): Promise<void> => {
		if (isRunning.value) return;
		isRunning.value = true;
		await acknowledgeSeen(seen, comment.value);
		isRunning.value = false;
		if (lastAct.value.failure === null) onClose();
	};
	return (
		<Dialog title={text.acknowledgeCount(seen.length)} onClose={onClose} closeLabel={commonText().close} small>
			<ul class="seen-alarms">
				{seen.map((alarm) => (
					<li key={alarm.id}>
						<AlarmMark severity={alarm.severity} state={markedStateOf(alarm)} small />
						<span>
							{alarm.name} <small class="muted">· {text.occurrence(alarm.occurrence)}</small>
						</span>
					</li>
				))}
			</ul>
			<CommentField comment={comment} />
			{lastAct.value.failure !== null && <Problems failure={lastAct.value.failure} fallback={alarmStateText().notAcknowledged} />}
			<div class="dialog-foot">
				<Button onClick={onClose}>{commonText().cancel}</Button>
				<Button look="primary" aria-disabled={isRunning.value} onClick={() => void send()}>
					{alarmStateText().acknowledge}
				</Button>
			</div>
		</Dialog>
	);
}
