import { type Signal, useSignal } from '@preact/signals';
import { maxCommentLength } from '#domain/validation/input-limits.ts';
import { markedStateOf } from '#page/core/alarm-state.ts';
import { type ListedAlarm, lastAct } from '#page/core/alarms.ts';
import { canWrite } from '#page/core/poll.ts';
import { alarmStateText } from '#page/i18n/alarm-states.ts';
import { commonText } from '#page/i18n/common.ts';
import { AlarmMark } from '#page/parts/alarm-mark.tsx';
import { Button } from '#page/parts/button.tsx';
import { Dialog } from '#page/parts/dialog.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { TextField } from '#page/parts/text-input.tsx';
import { acknowledgeSeen } from './alarm-acts.ts';
import { alarmText } from './texts.ts';

/** The parent component holds `comment`, so that the typed text stays when somebody else acknowledges and the alarm is raised again. */
interface AcknowledgeFormProps {
	readonly alarm: ListedAlarm;
	readonly comment: Signal<string>;
}

/** Acknowledges the occurrence of an alarm that is on the screen, with a comment. */
export function AcknowledgeForm({ alarm, comment }: AcknowledgeFormProps) {
	const isLost = !canWrite.value.ok;
	return (
		<form
			class="form"
			noValidate
			onSubmit={(event) => {
				event.preventDefault();
				void acknowledgeSeen([alarm], comment.value).then((isDone) => {
					if (isDone) comment.value = '';
				});
			}}
		>
			<CommentField comment={comment} disabled={isLost} />
			<Button type="submit" look="primary" wide disabled={isLost}>
				{alarmText().acknowledgeOccurrence(alarm.occurrence)}
			</Button>
		</form>
	);
}

/** `alarms` are the alarms that were on the screen when the dialog opened. */
interface AcknowledgeDialogProps {
	readonly alarms: readonly ListedAlarm[];
	readonly onClose: () => void;
}

/** Acknowledges several alarms at once, with one comment for all. It lists each alarm with the occurrence that the person has seen. */
export function AcknowledgeDialog({ alarms, onClose }: AcknowledgeDialogProps) {
	const text = alarmText();
	// The alarms as they were when the dialog opened. A later occurrence has not been seen, so it is not acknowledged.
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
					<li key={alarm.id} class="line">
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

interface CommentFieldProps {
	readonly comment: Signal<string>;
	readonly disabled?: boolean;
}

/** The comment of an acknowledgement, which may stay empty. */
function CommentField({ comment, disabled = false }: CommentFieldProps) {
	return (
		<TextField
			label={alarmText().comment}
			maxLength={maxCommentLength}
			value={comment.value}
			disabled={disabled}
			onText={(typed) => {
				comment.value = typed;
			}}
		/>
	);
}
